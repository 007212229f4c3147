// A real demo for a test: the built command with a small world, on free ports, in a data folder of its own.
import { startCommand } from '../support/command.ts';
import { makeDataDir } from '../support/dataDir.ts';
import { freePorts } from '../support/ports.ts';
import { until } from '../support/until.ts';

export interface TestDemo {
  /** Origin of the newspaper. */
  paper: string;
  /** Address of the Afterword server. */
  url: string;
  dataDir: string;
  site: string;
  /** undefined from the second start on: it is shown once. */
  secret: string | undefined;
  output(): string;
  /** SIGTERM, then its exit code. */
  stop(): Promise<number>;
}

export interface DemoOptions {
  dataDir?: string;
  paperPort?: number;
  flags?: readonly string[];
  /** Readers come while it runs. Default: false, so that figures of two moments can be compared. */
  live?: boolean;
}

/** Resolves when it says what to open. */
export async function startDemo({
  dataDir = makeDataDir(),
  paperPort,
  flags = [],
  live = false,
}: DemoOptions = {}): Promise<TestDemo> {
  const port = paperPort ?? (await freePorts(1))[0]!;
  const words = ['afterword-demo', '--no-open', '--port', '0', '--demo-port', String(port), '--data', dataDir];
  const { child, output, ended } = await startCommand([
    ...words,
    '--days',
    '5',
    '--views',
    '150',
    ...(live ? [] : ['--no-live']),
    ...flags,
  ]);
  const found = (pattern: RegExp) => pattern.exec(output.stdout)?.[1];
  await until('the demo says what to open', () => {
    if (child.exitCode !== null) throw new Error(`The demo ended with ${child.exitCode}: ${output.stderr}`);
    return output.stdout.includes('Ctrl+C stops both.');
  });
  return {
    paper: found(/Open the newspaper +(http:\S+)\//)!,
    url: found(/The reference +(http:\S+)\/docs/)!,
    site: found(/Site ID +(\S+)/)!,
    secret: found(/Secret +(\w{20,})\n/),
    dataDir,
    output: () => output.stdout + output.stderr,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
