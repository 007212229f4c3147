// Sites that have used up a quota, or nearly.
import { type Finding, ok, warning } from '../../checkup/finding.ts';
import { inDigits } from '../../counted.ts';
import type { QuotaUse } from '../../sites/siteQuotas.ts';
import { inBytes } from '../output.ts';

/** From this share on a quota is reported. */
const NEARLY = 0.8;

interface Words {
  what: string;
  inWords(value: number): string;
  /** What happens beyond it. */
  beyond: string;
  flag: string;
}

const WORDS: Record<QuotaUse['quota'], Words> = {
  events: {
    what: 'events of today',
    inWords: inDigits,
    beyond: 'no more are taken until its midnight.',
    flag: '--max-events-per-day <number>',
  },
  posts: { what: 'posts', inWords: inDigits, beyond: 'new ones are not added.', flag: '--max-posts <number>' },
  disk: {
    what: 'on the disk',
    inWords: inBytes,
    beyond: 'its oldest days of events are removed, but for the last eight: posts and sums may need more than that.',
    flag: '--max-disk <size>',
  },
};

export function examineQuotas(uses: readonly QuotaUse[]): Finding[] {
  return uses.flatMap(({ site, quota, used, limit }) => {
    if (used === undefined || used < limit * NEARLY) return [];
    const { what, inWords, beyond, flag } = WORDS[quota];
    const says = `${site} has ${inWords(used)} of ${inWords(limit)} ${what}`;
    if (used < limit) return [ok('quotas', `${says}.`)];
    return [warning('quotas', `${says}: ${beyond}`, `If it may have more: afterword site change ${site} ${flag}`)];
  });
}
