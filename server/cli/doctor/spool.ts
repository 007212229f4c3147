// The spool: acknowledged events that are in no table, how many they are, where, and what to do.
import { type Finding, warning } from '../../checkup/finding.ts';
import type { SpoolFile, SpoolReport } from '../../ingest/queue/spool.ts';
import { count } from '../output.ts';

const ABOUT = 'spool';

const KINDS: Record<SpoolFile['kind'], { says: string; remedy: string }> = {
  refused: {
    says: 'refused by the database',
    remedy: 'afterword spool retry inserts what the database takes now; afterword spool list names the files.',
  },
  damaged: {
    says: 'damaged on the disk',
    remedy:
      'They cannot be counted. afterword spool list names the files; look for faults of the disk, then delete them.',
  },
  unreadable: {
    says: 'not understood',
    remedy:
      'afterword spool list says why; the version of Afterword that wrote a file reads it, when it is started here.',
  },
};

/** @returns Nothing where every event is counted, or will be. */
export function examineSpool(report: SpoolReport | undefined): Finding[] {
  if (report === undefined) return [];
  const { folder, files, retrying } = report;
  const findings = (['refused', 'damaged', 'unreadable'] as const).flatMap((kind) => {
    const those = files.filter((file) => file.kind === kind);
    if (those.length === 0) return [];
    const { says, remedy } = KINDS[kind];
    const known = those.reduce((sum, { events = 0 }) => sum + events, 0);
    const what = those.every(({ events }) => events !== undefined)
      ? `${count(known, 'event')} in ${count(those.length, 'file')}`
      : `${count(those.length, 'file')}, at least ${count(known, 'event')},`;
    const where = kind === 'unreadable' ? folder : `${folder}/${kind}`;
    return [warning(ABOUT, `Not counted: ${what} ${says}, in ${where}.`, remedy)];
  });
  if (retrying.files === 0) return findings;
  const says = `Waiting: ${count(retrying.events, 'event')} in ${count(retrying.files, 'file')}: ${retrying.why}.`;
  return [
    ...findings,
    warning(ABOUT, says, 'It is tried again by itself; free what is missing, descriptors for example.'),
  ];
}
