// GET: questions anybody may ask who has the Site ID.
import { chinese, type HostileBody, repeated, type Target } from './hostileBody.ts';

function ask(
  path: string,
  name: string,
  params: (target: Target) => Record<string, string>,
  status = 200,
): HostileBody {
  const query = (target: Target) => ({ apikey: target.site, ...params(target) });
  return { name, method: 'GET', path, query, needsSecret: false, status };
}

/** Longest question, in UTF-16 units; with three bytes of nine characters each it still fits the head of a request. */
const WORDS = 1024;

const search = (name: string, q: string): HostileBody =>
  ask('/v2/search', `words of ${name}`, ({ attempt }) => ({ q, limit: String(10 + attempt) }));
const related = (name: string, url: string): HostileBody => ask('/v2/related', name, () => ({ url }), 422);

export const questionBodies: readonly HostileBody[] = [
  search('Chinese', chinese(WORDS)),
  search('Thai', repeated('กรุงเทพมหานคร', WORDS)),
  search('combining marks', repeated('\u0323\u0301', WORDS)),
  search('quotes', repeated('"', WORDS)),
  search('quoted letters', repeated('"a"', WORDS)),
  search('quoted Chinese', repeated('"中"', WORDS)),
  search('one letter without a blank', repeated('a', WORDS)),
  search('one letter each', repeated('a ', WORDS)),
  search('letters that stand for eighteen', repeated('\ufdfa', WORDS)),
  search('emoji', repeated('👨\u200d👩\u200d👧', WORDS)),
  related('a page with a long host', `https://${chinese(1500)}.org/`),
  related('a page with a percent-encoded host', `https://${encodeURIComponent(chinese(200))}.org/`),
  ask('/v2/profile', 'a page with a long host', () => ({ uuid: 'a', url: `https://${chinese(1500)}.org/` }), 422),
  ask('/v2/fragment/related', 'a page with a long host', () => ({ url: `https://${chinese(1500)}.org/` }), 422),
];
