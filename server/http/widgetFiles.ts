// Serves the built widget to publishers' pages: a few files, read once, compressed by the build.
//
//   app.route('/', widgetFiles(deps.settings.widgetDir));
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type Context, Hono } from 'hono';
import { CODINGS, chooseCoding } from './compression.ts';
import { etagOf, hashOf, isFresh } from './etag.ts';
import { FOR_EVER, PUBLIC_HEADERS } from './headers.ts';

const SUFFIXES = { br: '.br', gzip: '.gz' };

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A file whose name contains a hash of its content is immutable. */
const HASHED = /[.-](?=[\w-]*\d)[\w-]{6,}\.\w+$/;
/** A file in the folder of a version is immutable too: publishers pin it by its hash. */
const FROZEN = /^\/\d+\.\d+\.\d+[^/]*\//;
/** Short: a publisher's page loads the new widget minutes after an upgrade. */
const ROLLING = 'public, max-age=300, stale-while-revalidate=3600';

/** The script of an application names its other files by their hash: an older one would not find those of today. */
const OF_APPLICATION = /^\/(?:console|preview)\//;
const REVALIDATED = 'public, no-cache';

/** Pages of any site load these files, in any content coding the browser accepts. */
const FILE_HEADERS = { ...PUBLIC_HEADERS, Vary: 'Accept-Encoding' };

interface BuiltFile {
  type: string;
  cacheControl: string;
  /** By content coding, always with `identity`. */
  bodies: Map<string, { bytes: Uint8Array<ArrayBuffer>; etag: string }>;
}

/**
 * One route per built file, so no other file of the disk is reachable.
 * @param folder Output of the build; missing: no routes.
 */
export function widgetFiles(folder: string): Hono {
  const app = new Hono();
  for (const [path, file] of readFiles(folder)) {
    app.get(path, (c) => answer(c, file));
    // The path of older installations, under the Site ID.
    if (path === '/p.js') app.get('/keys/:site/p.js', (c) => answer(c, file));
  }
  return app;
}

function readFiles(folder: string): Map<string, BuiltFile> {
  const files = new Map<string, BuiltFile>();
  if (!existsSync(folder)) return files;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const full = join(entry.parentPath, entry.name);
    const path = full.slice(folder.length).replaceAll('\\', '/');
    files.set(path, {
      type,
      cacheControl: cacheControlOf(path),
      bodies: readBodies(full),
    });
  }
  return files;
}

function cacheControlOf(path: string): string {
  if (FROZEN.test(path) || HASHED.test(path)) return FOR_EVER;
  return OF_APPLICATION.test(path) ? REVALIDATED : ROLLING;
}

function readBodies(full: string): BuiltFile['bodies'] {
  const plain = readFileSync(full);
  const hash = hashOf(plain);
  const bodies: BuiltFile['bodies'] = new Map([['identity', { bytes: Uint8Array.from(plain), etag: `"${hash}"` }]]);
  for (const name of CODINGS) {
    const suffix = SUFFIXES[name];
    if (!existsSync(full + suffix)) continue;
    bodies.set(name, { bytes: Uint8Array.from(readFileSync(full + suffix)), etag: etagOf(`"${hash}"`, name) });
  }
  return bodies;
}

function answer(c: Context, { type, cacheControl, bodies }: BuiltFile): Response {
  const offered = CODINGS.filter((name) => bodies.has(name));
  const encoding = chooseCoding(c.req.header('Accept-Encoding'), offered) ?? 'identity';
  const { bytes, etag } = bodies.get(encoding)!;
  const headers = { ...FILE_HEADERS, 'Cache-Control': cacheControl, ETag: etag };
  if (isFresh(c.req.header('If-None-Match'), etag)) return c.body(null, 304, headers);
  return c.body(bytes, 200, {
    ...headers,
    'Content-Type': type,
    ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
  });
}
