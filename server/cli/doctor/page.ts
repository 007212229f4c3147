// A page that carries the tag: can it be reached, does it name a site we know, may it be counted.
import { type Finding, ok, problem, warning } from './finding.ts';

const PATIENCE_MS = 10_000;
const MAX_BYTES = 2 * 1024 * 1024;
/** A clock further off than this puts page views on the wrong day. */
const MAX_SKEW_MS = 60_000;

/** Looks at a page as a reader's browser gets it. */
export async function examinePage(
  address: string,
  known: { sites: readonly string[]; now: number },
): Promise<Finding[]> {
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) {
    return [problem('page', `${address} is no http or https URL.`, 'Give the full address of an article.')];
  }
  const response = await fetch(address, {
    signal: AbortSignal.timeout(PATIENCE_MS),
    headers: { Accept: 'text/html' },
  }).catch(unreachable);
  if (typeof response === 'string')
    return [problem('page', `${address} cannot be reached: ${response}`, 'Is it up, and reachable from here?')];
  if (!response.ok)
    return [
      problem(
        'page',
        `${address} answers with status ${response.status}.`,
        'Give the address of an article that exists.',
      ),
    ];
  const html = await readSome(response);
  return [
    ok('page', `${address} answers.`),
    examineTag(html, known.sites),
    ...examinePolicy(response),
    ...examineClock(response, known.now),
  ];
}

function unreachable(error: unknown): string {
  if (!(error instanceof Error)) throw error;
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}.`;
}

async function readSome(response: Response): Promise<string> {
  if (response.body === null) return '';
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body) {
    parts.push(part);
    size += part.byteLength;
    if (size >= MAX_BYTES) break;
  }
  return Buffer.concat(parts).toString('utf8');
}

function examineTag(html: string, sites: readonly string[]): Finding {
  const tag = html.match(/<script\b[^>]*\/afterword(?:\.[\w-]+)*\.js[^>]*>/i)?.[0];
  if (tag === undefined) {
    return problem(
      'tag',
      'The page does not load afterword.js in its HTML.',
      'Paste the tag that afterword site add printed; a tag manager may add it later, unseen here.',
    );
  }
  const site = /\bdata-site\s*=\s*["']?([^"'\s>]+)/i.exec(tag)?.[1]?.toLowerCase();
  if (site === undefined) return problem('tag', 'The tag names no site.', 'Add data-site="<site-id>" to it.');
  if (!sites.includes(site))
    return problem('tag', `The tag names the site ${site}, which does not exist here.`, `afterword site add ${site}`);
  return ok('tag', `Loads the widget for ${site}.`);
}

function examinePolicy(response: Response): Finding[] {
  const policy = response.headers.get('Content-Security-Policy');
  if (policy === null) return [];
  const todo = "Its script-src, connect-src and img-src must allow this server's address.";
  return [warning('security policy', 'The page has a Content-Security-Policy.', todo)];
}

function examineClock(response: Response, now: number): Finding[] {
  const said = Date.parse(response.headers.get('Date') ?? '');
  if (Number.isNaN(said)) return [];
  const seconds = Math.round((now - said) / 1000);
  if (Math.abs(seconds) * 1000 <= MAX_SKEW_MS) return [ok('clock', "Agrees with the page's server.")];
  const says = `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the page's server.`;
  return [warning('clock', says, 'Set one of the clocks: page views would fall on wrong days.')];
}
