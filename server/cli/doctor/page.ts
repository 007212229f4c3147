// Checks of a page with the tag, as a reader gets it: whether it can be reached, loads the widget, and what it says of
// itself.
import { askLists } from '../../checkup/askLists.ts';
import { checkPage, findTag, type PageToCheck } from '../../checkup/checkPage.ts';
import { type Finding, ok, problem, warning } from '../../checkup/finding.ts';
import { MINUTE } from '../../durations.ts';
import { parseUrl } from '../../posts/parseUrl.ts';
import { decodePage } from '../../posts/readPage/decodePage.ts';
import { readPage } from '../../posts/readPage/readPage.ts';

const PATIENCE_MS = 10_000;
const MAX_BYTES = 2 * 1024 * 1024;
/** A clock further off than this puts page views on the wrong day. */
const MAX_SKEW_MS = MINUTE;

export interface KnownHere {
  sites: readonly string[];
  /** Epoch milliseconds. */
  now: number;
  /** Address readers reach this server at; undefined while it does not run. */
  server: string | undefined;
}

/** Looks at a page as a reader's browser gets it. */
export async function examinePage(address: string, known: KnownHere): Promise<Finding[]> {
  if (!/^https?:\/\//.test(address) || !parseUrl(address)) {
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
  const page = { fetched: response.url, record: await readRecord(response) };
  const against = { site: undefined, knows: (site: string) => known.sites.includes(site), server: known.server };
  const found = [ok('page', `${address} answers.`), ...checkPage(page, against), ...examineClock(response, known.now)];
  const site = findTag(page, known.server)?.site.toLowerCase() ?? '';
  return known.sites.includes(site) ? [...found, ...(await examineLists(page, site, known.server))] : found;
}

/**
 * Asks the server as readers do. Nothing is found while it does not run or cannot be reached, which another finding
 * says.
 */
async function examineLists(page: PageToCheck, site: string, server: string | undefined): Promise<Finding[]> {
  if (server === undefined) return [];
  const { slots, url } = page.record;
  return askLists({ site, slots, tag: findTag(page, server), page: url }, async (path) => {
    try {
      return await (await fetch(server + path, { signal: AbortSignal.timeout(PATIENCE_MS) })).json();
    } catch (error) {
      unreachable(error);
      return undefined;
    }
  });
}

async function readRecord(response: Response): Promise<PageToCheck['record']> {
  const { html } = decodePage(await readSome(response), response.headers.get('Content-Type') ?? '');
  const record = readPage({ url: response.url, html }, () => true);
  const policies = response.headers.get('Content-Security-Policy')?.split(',') ?? [];
  return { ...record, policies: [...policies, ...record.policies] };
}

function unreachable(error: unknown): string {
  if (!(error instanceof Error)) throw error;
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}.`;
}

async function readSome(response: Response): Promise<Buffer> {
  if (response.body === null) return Buffer.alloc(0);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body) {
    parts.push(part);
    size += part.byteLength;
    if (size >= MAX_BYTES) break;
  }
  return Buffer.concat(parts);
}

/** A cache in front of the server repeats the date of a page that it kept, and says how old it is. */
function examineClock({ headers }: Response, now: number): Finding[] {
  const age = headers.get('Age') ?? '';
  const said = Date.parse(headers.get('Date') ?? '') + (/^\d{1,9}$/.test(age) ? Number(age) * 1000 : 0);
  if (Number.isNaN(said)) return [];
  const seconds = Math.round((now - said) / 1000);
  if (Math.abs(seconds) * 1000 <= MAX_SKEW_MS) return [ok('clock', "Agrees with the page's server.")];
  const says = `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the page's server.`;
  return [warning('clock', says, 'Set one of the clocks: page views would fall on wrong days.')];
}
