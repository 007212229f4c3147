// npm run bench -- [name…] [--option value…]: runs the named benches (all without a name) one after another, each in a process of its
// own, so that one's memory and engine are not the next one's; prints the table of each, keeps it in bench/results/, and writes
// docs/figures.md from all tables that are kept. `npm run bench -- figures` only writes that file.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeFigures } from './support/figures.ts';
import { type Bench, toMarkdown } from './support/table.ts';
import { BENCHES, usage } from './support/usage.ts';

const HERE = dirname(fileURLToPath(import.meta.url));

const known = Object.keys(BENCHES);

/** What the command gives to Node when it is started by its name: benches run as it does. */
const COMMAND_FLAGS = readFileSync(join(HERE, '../server/main.ts'), 'utf8').split('\n', 1)[0]!.match(/--\S+/g) ?? [];

const [command, ...rest] = process.argv.slice(2);
if (command === '--one') await runOne(rest[0]!, rest.slice(1));
else if (command === 'figures') writeFigures();
else if (process.argv.includes('--help') || process.argv.includes('-h')) process.stdout.write(usage());
else await runAll(process.argv.slice(2));

async function runAll(args: readonly string[]): Promise<void> {
  const firstOption = args.findIndex((arg) => arg.startsWith('--'));
  const named = firstOption < 0 ? args : args.slice(0, firstOption);
  const options = firstOption < 0 ? [] : args.slice(firstOption);
  const unknown = named.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    console.error(
      `There is no bench ${unknown.join(', ')}. There are: ${known.join(', ')}. --help says what they measure.`,
    );
    process.exitCode = 2;
    return;
  }
  for (const name of named.length > 0 ? named : known.filter((name) => !BENCHES[name]!.onRequest)) {
    const code = await inItsOwnProcess(name, options);
    if (code !== 0) {
      console.error(`Bench ${name} failed.`);
      process.exitCode = 1;
    }
  }
}

function inItsOwnProcess(name: string, options: readonly string[]): Promise<number | null> {
  const args = [...process.execArgv, ...COMMAND_FLAGS, fileURLToPath(import.meta.url), '--one', name, ...options];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  return new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
}

async function runOne(name: string, options: readonly string[]): Promise<void> {
  const { default: bench } = (await import(`./${name}.ts`)) as { default: Bench };
  const table = await bench(options);
  const machine = `Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}).`;
  const text = toMarkdown({ ...table, notes: [...table.notes, machine] });
  console.log(text);
  mkdirSync(join(HERE, 'results'), { recursive: true });
  writeFileSync(join(HERE, 'results', `${table.name ?? name}.md`), text);
  writeFigures();
}
