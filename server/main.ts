#!/usr/bin/env -S node --max-semi-space-size=32
// The `afterword` command: reads the command line, and says with its exit code how it went. A thousand senders who wait for the disk
// outlive the 16 MiB for young objects that Node has by default, and are carried about until they are answered.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../package.json' with { type: 'json' };
import { runCommandLine } from './cli/program.ts';

/** Built, this file is dist/server/main.js; run from its source, it is server/main.ts. */
const here = dirname(fileURLToPath(import.meta.url));
const fromSource = import.meta.url.endsWith('.ts');
const dist = join(here, fromSource ? '../dist' : '..');

// Data, backups and exports are their owner's alone, also those that the engine writes, whatever the shell allows others.
process.umask(0o077);

process.exitCode = await runCommandLine(process.argv.slice(2), {
  version: packageJson.version,
  widgetDir: join(dist, 'widget'),
  readingThread: new URL(fromSource ? 'crawl/readingThread.ts' : 'readingThread.js', import.meta.url),
  indexThread: new URL(fromSource ? '../dist/server/indexThread.js' : 'indexThread.js', import.meta.url),
  thumbnailProcess: new URL(fromSource ? '../dist/server/thumbnailProcess.js' : 'thumbnailProcess.js', import.meta.url),
});
