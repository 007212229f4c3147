// Which functions of the server a request passes: V8's precise coverage of the built server, and its source maps.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { SourceMap, type SourceMapping } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../test/support/build.ts';
import { until } from '../../test/support/until.ts';

/** A function by its place: `server/http/mount.ts:41 mount`. An anonymous one ends with a space. */
export type Place = string;

export interface Coverage {
  /** Environment in which the server is to be started. */
  env: Record<string, string>;
  /** Calls of each function of the server since the last reading. */
  read(server: { pid: number }): Promise<Map<Place, number>>;
}

interface Script {
  url: string;
  functions: { functionName: string; ranges: { startOffset: number; count: number }[] }[];
}

/**
 * Runs in the server before its own code: a signal writes the coverage since the last one to a file. From the first
 * signal on without the optimizing compiler, which inlines functions: the calls of those are not counted.
 */
const probe = (file: string) => `
import { Session } from 'node:inspector';
import { renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { isMainThread } from 'node:worker_threads';
if (isMainThread) {
  const session = new Session();
  // Functions that are optimized by then go back when it is called again.
  const start = () => session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  session.connect();
  session.post('Profiler.enable');
  start();
  process.once('SIGUSR2', () => {
    setFlagsFromString('--no-opt');
    start();
  });
  process.on('SIGUSR2', () => session.post('Profiler.takePreciseCoverage', (error, found) => {
    writeFileSync(${JSON.stringify(`${file}.part`)}, JSON.stringify(error ?? found.result));
    renameSync(${JSON.stringify(`${file}.part`)}, ${JSON.stringify(file)});
  }));
}`;

/** @param dir Folder for the readings. */
export function coverageIn(dir: string): Coverage {
  const file = join(dir, 'coverage.json');
  const maps = new Map<string, Mapped>();
  return {
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(probe(file))}` },
    async read({ pid }) {
      process.kill(pid, 'SIGUSR2');
      await until('the coverage is written', () => existsSync(file));
      const scripts = JSON.parse(readFileSync(file, 'utf8')) as Script[];
      rmSync(file);
      return placesIn(scripts, maps);
    },
  };
}

interface Mapped {
  map: SourceMap;
  /** Offsets at which the lines of the built file begin. */
  lines: number[];
}

function placesIn(scripts: readonly Script[], maps: Map<string, Mapped>): Map<Place, number> {
  const places = new Map<Place, number>();
  for (const { url, functions } of scripts) {
    const built = url.startsWith('file:') ? fileURLToPath(url) : '';
    // The builder's own helpers have no map.
    if (!built.startsWith(join(root, 'dist/server')) || !existsSync(`${built}.map`)) continue;
    const mapped = maps.get(built) ?? readMap(built);
    maps.set(built, mapped);
    for (const { functionName, ranges } of functions) {
      const [{ startOffset, count } = { startOffset: 0, count: 0 }] = ranges;
      // The first one of a file is the file itself; fields of a class are given as a function, too.
      const isFunction = startOffset !== 0 && !functionName.startsWith('<');
      const place = isFunction && count > 0 ? placeOf(mapped, { built, startOffset, functionName }) : undefined;
      if (place !== undefined) places.set(place, (places.get(place) ?? 0) + count);
    }
  }
  return places;
}

function readMap(built: string): Mapped {
  const lines = [0];
  const text = readFileSync(built, 'utf8');
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines.push(at + 1);
  return { map: new SourceMap(JSON.parse(readFileSync(`${built}.map`, 'utf8'))), lines };
}

/** @returns undefined for code of a package. */
function placeOf(
  { map, lines }: Mapped,
  { built, startOffset, functionName }: { built: string; startOffset: number; functionName: string },
): Place | undefined {
  const line = lines.findLastIndex((start) => start <= startOffset);
  // Empty where the builder has put something in between.
  const { originalSource, originalLine = 0 }: Partial<SourceMapping> = map.findEntry(line, startOffset - lines[line]!);
  if (originalSource === undefined) return undefined;
  const path = relative(root, join(built, '..', originalSource));
  // With a dot it is a guess of the engine's, from what a function without a name was given to.
  const name = functionName.includes('.') ? '' : functionName;
  return path.startsWith('server/') ? `${path}:${originalLine + 1} ${name}` : undefined;
}
