// The real server and a newspaper that embeds the widget, in one process, with a month of readers.
import { createServer } from 'node:net';
import { Command, InvalidArgumentError, Option } from 'commander';
import { CommandError } from '../server/cli/commandError.ts';
import type { Installation } from '../server/cli/installation.ts';
import { type ServerSettings, serverOptions } from '../server/config.ts';

interface DemoFlags extends ServerSettings {
  demoPort: number;
  seed: string;
  days: number;
  views: number;
  live: boolean;
  open: boolean;
}

/** Ports tried after the usual one, when none is named. */
const PORTS_TRIED = 20;

export function demoCommand(installation: Installation): Command {
  const demo = new Command('afterword-demo')
    .summary('run the server with a demonstration newspaper')
    .description(
      'Runs the server and, beside it, a newspaper that embeds the widget: real articles, a month of made-up readers. ' +
        'The first start takes about half a minute; later ones add the days since. Readers go on coming while it runs.',
    )
    .addOption(new Option('--demo-port <number>', 'port of the newspaper').default(8090).argParser(whole(1, 65_535)))
    .addOption(new Option('--seed <text>', 'another seed, other readers').default('lantern'))
    .addOption(new Option('--days <number>', 'days of history').default(31).argParser(whole(1, 90)))
    .addOption(
      new Option('--views <number>', 'page views of a working day, about').default(7000).argParser(whole(10, 100_000)),
    )
    .option('--no-live', 'no readers come while it runs: figures stay as they are')
    .option('--no-open', 'do not open the newspaper in a browser');
  for (const option of serverOptions()) {
    // The server's own log would run through the progress bar.
    if (option.long === '--log-level') option.default('warn', 'warn');
    // The newspaper is on this machine: without this, the preview could not check a page of it. Only hosts of sites are read.
    if (option.long === '--allow-private-crawl') option.default(true, 'yes');
    demo.addOption(option);
  }
  return demo.action(async (flags: DemoFlags) => {
    const named = (option: string) => demo.getOptionValueSource(option) !== 'default';
    const port = await freePort({ wanted: flags.port, named: named('port'), flag: '--port', host: flags.host });
    const demoPort = await freePort({
      wanted: flags.demoPort,
      named: named('demoPort'),
      flag: '--demo-port',
      host: flags.host,
      taken: port,
    });
    const [{ serve }, { createDemoGuest }, { openInBrowser }] = await Promise.all([
      import('../server/cli/serve.ts'),
      import('./demoGuest.ts'),
      import('./openInBrowser.ts'),
    ]);
    const guest = createDemoGuest({ ...flags, demoPort }, (paperUrl) => {
      if (flags.open && process.stdout.isTTY) openInBrowser(paperUrl);
    });
    await serve({ ...flags, port }, installation, guest);
  });
}

interface Wanted {
  wanted: number;
  /** Somebody asked for this very port. */
  named: boolean;
  flag: string;
  host: string;
  /** Promised to the other server already. */
  taken?: number;
}

/**
 * The port wanted, or where none was named the next that is free, which is printed.
 * @throws {CommandError} when the port that was named is in use, or none of those tried is free.
 */
async function freePort({ wanted, named, flag, host, taken }: Wanted): Promise<number> {
  for (let port = wanted; port <= wanted + (named ? 0 : PORTS_TRIED); port++) {
    if (port === taken || !(await isFree(port, host))) continue;
    if (port !== wanted) process.stdout.write(`Port ${wanted} is in use; taking ${port} (${flag}).\n`);
    return port;
  }
  throw new CommandError(`Port ${wanted} on ${host} is in use by another program. Choose another with ${flag}.`);
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? done(false) : fail(error)));
    probe.listen(port, host, () => probe.close(() => done(true)));
  });
}

function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It takes a whole number from ${least} to ${most}.`);
  };
}
