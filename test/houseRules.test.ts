// The rules of the house, kept by a test: who may import whom, where clocks and the environment are read, how files open.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './support/build.ts';
import durations from './support/durations.json' with { type: 'json' };
import { type Import, type Prose, readSources, type Source } from './support/sources.ts';

const server = readSources('server');
const widget = readSources('widget');
const everything = [...server, ...widget, ...readSources('demo', 'bench', 'test', 'vite.config.ts')];

const inFolder = (sources: Source[], folder: string) => sources.filter(({ path }) => path.startsWith(`${folder}/`));

/** Imports of some files that a rule forbids, as readable lines. */
function offences(sources: Source[], forbidden: (imported: Import, file: Source) => boolean): string[] {
  return sources.flatMap((file) =>
    file.imports.filter((imported) => forbidden(imported, file)).map(({ from }) => `${file.path} imports ${from}`),
  );
}

/** Places where some files' code matches a pattern, as readable lines. */
function mentions(sources: Source[], pattern: RegExp): string[] {
  return sources.flatMap(({ path, code }) =>
    code.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
  );
}

const isWithin = (from: string, ...folders: string[]) => folders.some((folder) => from.startsWith(`${folder}/`));

/** Folders of pure code: what goes in decides what comes out. */
const PURE = ['traffic', 'posts', 'textindex', 'recommend', 'search', 'experiments', 'alarms'].map(
  (name) => `server/${name}`,
);
const pure = PURE.flatMap((folder) => inFolder(server, folder));

test('the rules look at real files', () => {
  expect(server.length).toBeGreaterThan(40);
  expect(widget.length).toBeGreaterThan(5);
  expect(pure.length).toBeGreaterThan(10);
  expect(server.flatMap(({ imports }) => imports).length).toBeGreaterThan(200);
});

test('the contract imports nothing', () => {
  expect(offences(inFolder(server, 'server/contract'), () => true)).toEqual([]);
});

test('traffic, posts, textindex, recommend, search, experiments and alarms know no framework, no schema library, no storage, no HTTP', () => {
  const forbidden = ({ from }: Import) =>
    ['hono', 'zod', '@hono/node-server', '@clickhouse/client', 'chdb', 'pino'].includes(from) ||
    isWithin(from, 'server/storage', 'server/http', 'server/api', 'server/cli');
  expect(offences(pure, forbidden)).toEqual([]);
});

test('the text index imports nothing of ranking and search', () => {
  const users = ['server/recommend', 'server/search', 'server/readers', 'server/siteIndex'];
  expect(offences(inFolder(server, 'server/textindex'), ({ from }) => isWithin(from, ...users))).toEqual([]);
});

test('PostIndex has eight public methods', () => {
  const code = server.find(({ path }) => path === 'server/textindex/postIndex.ts')?.code ?? '';
  const methods = [...code.matchAll(/^ {2}\*?(\w+)\(/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== 'constructor');
  expect(methods).toEqual(['put', 'remove', 'find', 'post', 'score', 'tidy', 'snapshot', 'restore']);
});

test('ingest knows no framework and no tables', () => {
  const forbidden = ({ from, typeOnly }: Import) =>
    ['hono', '@clickhouse/client', 'chdb'].includes(from) || (isWithin(from, 'server/storage') && !typeOnly);
  expect(offences(inFolder(server, 'server/ingest'), forbidden)).toEqual([]);
});

test('only storage knows a database client, and only connect.ts names the engine inside', () => {
  const clients = ['@clickhouse/client', 'chdb'];
  const outside = server.filter(({ path }) => !path.startsWith('server/storage/'));
  expect(offences(outside, ({ from }) => clients.includes(from))).toEqual([]);
  const elsewhere = inFolder(server, 'server/storage').filter(({ path }) => path !== 'server/storage/connect.ts');
  expect(offences(elsewhere, ({ from }) => from === 'chdb')).toEqual([]);
});

test('storage imports nothing of HTTP', () => {
  expect(
    offences(inFolder(server, 'server/storage'), ({ from }) => isWithin(from, 'server/http', 'server/api')),
  ).toEqual([]);
});

test('one file of the API never imports another', () => {
  expect(offences(inFolder(server, 'server/api'), ({ from }) => isWithin(from, 'server/api'))).toEqual([]);
});

test('only the command reaches into the command', () => {
  const others = server.filter(
    ({ path }) => !path.startsWith('server/cli/') && path !== 'server/main.ts' && path !== 'server/config.ts',
  );
  expect(offences(others, ({ from }) => isWithin(from, 'server/cli'))).toEqual([]);
});

test('a command loads no parser and no progress bar before it needs one', () => {
  const files = new Map(server.map((file) => [file.path, file]));
  const loaded = new Set(['server/main.ts']);
  for (const path of loaded)
    for (const { from, typeOnly, dynamic } of files.get(path)?.imports ?? [])
      if (!typeOnly && !dynamic) loaded.add(from);
  expect(loaded).toContain('commander');
  const heavy = ['linkedom', 'htmlparser2', 'encoding-sniffer', 'csv-parse', 'cli-progress', 'chdb', 'hono', 'pino'];
  expect(heavy.filter((name) => loaded.has(name))).toEqual([]);
});

test('the widget takes types of the wire, numbers of the limits, figures of now, attributes, assignment, dials, words of experiments, headers and default headings from the server, nothing else, and no schema library', () => {
  const forbidden = ({ from, typeOnly }: Import) =>
    from === 'zod' ||
    (isWithin(from, 'server') &&
      ![
        'attributes',
        'assignment',
        'dials',
        'experiments',
        'limits',
        'headers',
        'headings',
        'now',
        'operator',
        'rules',
        'contentAudit',
        'scripts',
        'setUp',
      ].some((name) => from === `server/contract/${name}.ts`) &&
      !(
        ['wire', 'annotations', 'frontier', 'parselySurface', 'alternatives'].some(
          (name) => from === `server/contract/${name}.ts`,
        ) && typeOnly
      ));
  expect(offences(widget, forbidden)).toEqual([]);
});

test('the server takes nothing from the widget, but what a list looks like, to draw the same, and how the console reads an address, to bound a link', () => {
  const forbidden = ({ from, typeOnly }: Import, { path }: Source) =>
    isWithin(from, 'widget') &&
    !(path === 'server/console/scope.ts' && /^widget\/console\/\w+\.ts$/.test(from)) &&
    !(
      path.startsWith('server/fragment/') &&
      (isWithin(from, 'widget/ui') || isWithin(from, 'widget/rare') || typeOnly)
    );
  expect(offences(server, forbidden)).toEqual([]);
});

test('clocks and the environment are read in the command only', () => {
  const others = server.filter(({ path }) => path !== 'server/main.ts' && !path.startsWith('server/cli/'));
  expect(
    mentions(others, /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b|\bprocess\.hrtime\b|\bprocess\.env\b/),
  ).toEqual([]);
});

test('text from outside becomes a URL in one place, which bounds its host', () => {
  const others = server.filter(({ path }) => path !== 'server/posts/parseUrl.ts');
  expect(mentions(others, /\bURL\.(?:canParse|parse)\b/)).toEqual([]);
});

test('pure code draws no lots', () => {
  expect(mentions(pure, /\bMath\.random\b|\brandomUUID\b|\brandomBytes\b|\bcrypto\b/)).toEqual([]);
});

test('every file opens by saying what it is for', () => {
  const silent = everything.filter(
    ({ text }) => !/^(?:#!.*\n)?\/\/ \S/.test(text) && !/^(?:#!.*\n)?\/\*\*?\s/.test(text),
  );
  expect(silent.map(({ path }) => path)).toEqual([]);
});

test('no file is longer than 300 lines', () => {
  const long = everything
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > 300);
  expect(long).toEqual([]);
});

const reworded = [...server, ...widget];

test('no line with a comment is longer than 120 columns', () => {
  const long = reworded.flatMap(({ path, text, code }) => {
    const lines = code.split('\n');
    return text
      .split('\n')
      .flatMap((line, index) =>
        line.length > 120 && line.trimEnd() !== lines[index]?.trimEnd() ? [`${path}:${index + 1}`] : [],
      );
  });
  expect(long).toEqual([]);
});

/** Riddles, personification and archaic turns. A passive or the technical noun says the same: "cached", "reported", "continues". */
const BANNED =
  /\b(?:nobody|who(?:ever|mever|soever)|hears?|had better|told|tells|telling|goes on|speaks?|knows nothing|whence|hitherto|lest)\b/i;

/** Lines with a banned word. */
const banned = ({ path }: Source, prose: readonly Prose[]) =>
  prose.flatMap(({ line, text }) => (BANNED.test(text) ? [`${path}:${line} ${text.trim()}`] : []));

test('comments, log lines and error texts are in plain technical English', () => {
  expect(everything.flatMap((file) => banned(file, file.comments))).toEqual([]);
  expect(reworded.flatMap((file) => banned(file, file.sentences))).toEqual([]);
});

test('documents are in plain technical English', () => {
  const below = readdirSync(join(root, 'docs')).map((file) => `docs/${file}`);
  const files = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', ...below];
  // Titles of tests are quoted; docs/figures.md holds the words of the benches.
  const written = files.filter((file) => file.endsWith('.md') && file !== 'docs/figures.md');
  const prose = written.flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .replaceAll(/```.*?```|`[^`\n]*`|"[^"\n]*"/gs, (quoted) => quoted.replaceAll(/[^\n]/g, ' '))
      .split('\n')
      .map((line, index) => ({ line, place: `${path}:${index + 1}` })),
  );
  expect(written.length).toBeGreaterThan(15);
  expect(prose.filter(({ line }) => BANNED.test(line)).map(({ place }) => place)).toEqual([]);
});

test('files of deployment, workflows and styles are in plain technical English', () => {
  const folders = ['.github', 'server/deploy', 'widget', 'demo/paper/static', 'docs/wordpress'];
  const below = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  const written = below.filter((file) => /\.(?:css|php|ya?ml|conf|service|timer)$|\/Caddyfile$/.test(file));
  const found = ['Dockerfile', 'compose.yaml', ...written].flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .map((line) => ({ path, line })),
  );
  expect(found.length).toBeGreaterThan(500);
  expect(found.filter(({ line }) => BANNED.test(line))).toEqual([]);
});

test('titles of tests are in plain technical English', () => {
  const titles = everything.flatMap(({ path, text }) =>
    path.startsWith('test/')
      ? [...text.matchAll(/\b(?:test|it|describe\w*)(?:\.\w+)*\(\s*(['"`])(.+?)\1,/g)].map(
          ([, , title]) => `${path}: ${title}`,
        )
      : [],
  );
  expect(titles.length).toBeGreaterThan(500);
  expect(titles.filter((title) => BANNED.test(title))).toEqual([]);
});

test('the recorded durations are of test files that exist', () => {
  const files = new Set(everything.map(({ path }) => path));
  expect(Object.keys(durations).filter((path) => !files.has(path))).toEqual([]);
});

test('no function is longer than 80 lines, with the functions in it', () => {
  const functions = [...server, ...widget].flatMap(({ path, functions }) =>
    functions.map((each) => ({ path, ...each })),
  );
  expect(functions.length).toBeGreaterThan(1000);
  expect(functions.filter(({ lines }) => lines > 80)).toEqual([]);
});

test('a file is named after what it exports', () => {
  expect(
    everything.map(({ path }) => path).filter((path) => /(?:^|\/)(?:utils?|helpers?|common|misc)\b/i.test(path)),
  ).toEqual([]);
});

test('nothing is switched off to please the compiler', () => {
  const excuses = /@ts-(?:ignore|nocheck|expect-error)|\bTO(?:DO)\b|\bFIX(?:ME)\b|\bXX(?:X)\b/;
  const found = everything.flatMap(({ path, text }) =>
    excuses.test(text) && !path.endsWith('houseRules.test.ts') ? [path] : [],
  );
  expect(found).toEqual([]);
});

test('no error is swallowed', () => {
  const swallows = [...server, ...widget].filter(({ code }) => /catch\s*(?:\([^)]*\))?\s*\{\s*\}/.test(code));
  expect(swallows.map(({ path }) => path)).toEqual([]);
});
