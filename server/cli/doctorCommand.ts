// `afterword doctor`: checks for what goes wrong in practice, and says what to do.
import type { Command } from 'commander';
import type { Finding } from '../checkup/finding.ts';
import { CommandError } from './commandError.ts';
import { type DataFlags, dataCommand } from './dataCommand.ts';
import { ABOUT_DISK, examineMachine } from './doctor/machine.ts';
import { examinePublicAddress } from './doctor/publicAddress.ts';
import { examineService } from './doctor/service.ts';
import { print } from './output.ts';
import { findSocket } from './socket.ts';

const MARKS: Record<Finding['state'], string> = { ok: 'ok', warning: 'WARNING', problem: 'PROBLEM' };

export function addDoctorCommand(program: Command): void {
  dataCommand(program, 'doctor', 'look for what is wrong, and say what to do')
    .argument('[page-url]', 'a page that carries the tag, to be looked at too')
    .option('--checksums', 'read the whole database and compare its checksums: minutes for a large one')
    .action(async (page: string | undefined, flags: DataFlags & { checksums?: boolean }) => {
      const findings = await examine(page, flags);
      print(flags, findings, () => findings.flatMap(toLines));
      const problems = findings.filter(({ state }) => state === 'problem').length;
      if (problems > 0) throw new CommandError(`${problems} ${problems === 1 ? 'problem' : 'problems'} found.`);
    });
}

async function examine(page: string | undefined, flags: DataFlags & { checksums?: boolean }): Promise<Finding[]> {
  const machine = await examineMachine(flags.data);
  // On a full disk a server can still say what it cannot do; a command could not even open the database.
  const isStuck = machine.some(({ about, state }) => state === 'problem' && about !== ABOUT_DISK);
  const isFull = machine.some(({ state }) => state === 'problem');
  if (isStuck || (isFull && (await findSocket(flags.data)) === undefined)) return machine;
  const { findings, report, serverUrl } = await examineService(flags, flags.checksums === true);
  const reach = serverUrl === undefined ? [] : [await examinePublicAddress(serverUrl)];
  const known = { sites: report?.sites ?? [], now: report?.now ?? Date.now(), server: serverUrl };
  if (page === undefined) return [...machine, ...findings, ...reach];
  // Loaded only here: parsing HTML takes longer to load than all other commands together.
  const { examinePage } = await import('./doctor/page.ts');
  return [...machine, ...findings, ...reach, ...(await examinePage(page, known))];
}

function toLines({ about, state, says, remedy }: Finding): string[] {
  const line = `${MARKS[state].padEnd(8)} ${about.padEnd(16)} ${says}`;
  return remedy === undefined ? [line] : [line, `${' '.repeat(26)}→ ${remedy}`];
}
