// `npm run audit`: known weaknesses of what an installation brings with it. Findings fail; a registry that keeps no list of them, or
// cannot be reached, is said plainly and fails nothing, because `npm run check` works without a network, too.
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

export interface Verdict {
  passes: boolean;
  sentence: string;
}

/** What `npm audit --json` prints, as far as it is read here. */
interface Printed {
  message?: string;
  statusCode?: number;
  error?: { code?: string };
  vulnerabilities?: Record<string, { severity?: string }>;
  metadata?: { dependencies?: { prod?: number } };
}

/** npm's own names of a network that is not there. */
const OFFLINE = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ENOTCACHED/;
const GRAVE = new Set(['high', 'critical']);

/** @param printed Standard output of `npm audit --json`. */
export function judge(printed: string): Verdict {
  const said = parse(printed);
  if (said?.vulnerabilities !== undefined) return judgeFindings(said);
  const why = said?.message ?? printed.trim().slice(0, 200);
  if (said?.statusCode !== undefined && said.statusCode >= 400) {
    return { passes: true, sentence: `The registry offers no audits, so nothing was checked: ${why}.` };
  }
  if (OFFLINE.test(why)) return { passes: true, sentence: `No registry answers, so nothing was checked: ${why}.` };
  return { passes: false, sentence: `npm audit did not work: ${why || 'it said nothing'}.` };
}

function judgeFindings({ vulnerabilities = {}, metadata }: Printed): Verdict {
  const grave = Object.entries(vulnerabilities).filter(([, { severity }]) => GRAVE.has(severity ?? ''));
  if (grave.length === 0) {
    const lesser = Object.keys(vulnerabilities).length;
    const packages = metadata?.dependencies?.prod ?? 'all';
    return { passes: true, sentence: `Nothing grave is known of ${packages} packages; ${lesser} lesser findings.` };
  }
  const names = grave.map(([name, { severity }]) => `${name} (${severity})`).join(', ');
  return { passes: false, sentence: `Known weaknesses: ${names}. npm audit --omit=dev says more.` };
}

function parse(text: string): Printed | undefined {
  try {
    return JSON.parse(text) as Printed;
  } catch {
    return undefined;
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { stdout, error } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8' });
  const { passes, sentence } = error === undefined ? judge(stdout) : { passes: false, sentence: error.message };
  console.log(`audit: ${sentence}`);
  process.exitCode = passes ? 0 : 1;
}
