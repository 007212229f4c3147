// The warning of commands that erase: events set aside in the spool are not reached.
import type { SetAside } from './admin/settle.ts';
import { count } from './output.ts';

export function warnOfSetAside(aside: SetAside | undefined): void {
  if (aside === undefined) return;
  const { files, folder } = aside;
  process.stderr.write(
    `warning: nothing is erased from the events that are set aside in ${folder} (${count(files, 'file')}): afterword spool list names the files.\n`,
  );
}
