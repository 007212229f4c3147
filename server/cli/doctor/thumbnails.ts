// Thumbnails: can this machine make them, how many came of how many pictures, and what stands in the way of the others.
import { type Finding, ok, warning } from '../../checkup/finding.ts';
import type { ServerReport } from '../admin/report.ts';
import { count } from '../output.ts';

const ABOUT = 'thumbnails';
const MIB = 1024 * 1024;
/** Fewer failures may be single pictures. */
const MANY = 20;
/** What is no failure: these were shown, or the picture itself in their place for a while. */
const FINE = ['hit', 'made', 'resting', 'busy', 'off'];

/** @returns Nothing where no server runs. */
export function examineThumbnails(report: ServerReport['thumbnails']): Finding[] {
  if (report === undefined) return [];
  const { unable, counts, bytes } = report;
  if (unable !== undefined)
    return [
      warning(
        ABOUT,
        `None are made, and lists load whole pictures: ${unable.split('\n')[0]}`,
        'Install sharp for this machine (npm install sharp), or say --thumbnails off.',
      ),
    ];
  const made = counts.find(({ outcome }) => outcome === 'made')?.count ?? 0;
  const failures = counts.filter(({ outcome }) => !FINE.includes(outcome)).sort((a, b) => b.count - a.count);
  const failed = failures.reduce((sum, { count: some }) => sum + some, 0);
  const says = `Made since the start: ${made}, failed: ${failed}; ${(bytes / MIB).toFixed(1)} MiB on the disk.`;
  if (failed < MANY || failed < made) return [ok(ABOUT, says)];
  const reasons = failures.map(({ outcome, count: some }) => `${outcome} ${some}`).join(', ');
  return [
    warning(
      ABOUT,
      `${says} ${count(failed, 'picture')} failed as: ${reasons}.`,
      'afterword serve --log-level debug names the pictures. Can this server reach the hosts they are on?',
    ),
  ];
}
