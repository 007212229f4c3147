// Links between the documents lead to files and headings that are there.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { STEP_NAMES } from '../../server/ingest/pipeline.ts';
import { root } from '../support/build.ts';

const below = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`);
const documents = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'CONTRIBUTING.md'].concat(
  below('docs'),
  below('server'),
);

const readText = (file: string): string => readFileSync(join(root, file), 'utf8').replaceAll(/^ *```.*?^ *```/gms, '');

/** Address of a heading, as GitHub makes it: letters, digits, hyphens and underscores stay. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (file: string): string[] =>
  [...readText(file).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading!));

const isThere = (from: string, link: string): boolean => {
  const [path = '', anchor] = link.split('#');
  const file = path === '' ? from : relative(root, join(root, dirname(from), path));
  return existsSync(join(root, file)) && (anchor === undefined || anchorsOf(file).includes(anchor));
};

test.each(documents)('%s leads to what is there', (document) => {
  const links = [...readText(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
  const own = links.filter((link) => !/^[a-z]+:/.test(link));
  expect(own.filter((link) => !isThere(document, link))).toEqual([]);
});

test.each(documents)('%s has no contents, or each of its sections in them', (document) => {
  const [top = '', ...sections] = readText(document).split(/^## /m);
  const contents = [...top.matchAll(/^\*.*$/gm)].flatMap(([line]) => [...line.matchAll(/\]\(#([^)]+)\)/g)]);
  if (contents.length === 0) return;
  const anchors = sections.map((section) => anchorOf(section.split('\n', 1)[0]!));
  expect(contents.map(([, anchor]) => anchor).filter((anchor) => anchors.includes(anchor!))).toEqual(anchors);
});

test('the README is a landing page: at most 9 kB, and a picture of at most 150 kB', () => {
  expect(statSync(join(root, 'README.md')).size).toBeLessThanOrEqual(9000);
  const [, picture] = /!\[[^\]]+\]\(([^)]+)\)/.exec(readText('README.md'))!;
  expect(statSync(join(root, picture!)).size).toBeLessThanOrEqual(150_000);
});

test('each guide is reached from the README', () => {
  const readme = readText('README.md');
  expect(documents.filter((file) => file.startsWith('docs/') && !readme.includes(`](${file}`))).toEqual([]);
});

test.each(['docs/architecture.md', 'CONTRIBUTING.md'])('files and folders that %s names exist', (document) => {
  const text = readFileSync(join(root, document), 'utf8');
  const named = [...text.matchAll(/`((?:server|widget|test|bench|demo|docs|\.github)\/[\w./-]*)`/g)].map(
    ([, path]) => path!,
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `/${folder}/${file}`);

test.each(['server/ingest', 'server/textindex'])('files that the README of %s names exist', (folder) => {
  const text = readFileSync(join(root, folder, 'README.md'), 'utf8');
  const named = [...text.matchAll(/[\w./]+\.ts\b/g)].map(([path]) => `/${path}`);
  const existing = [...filesBelow('server'), ...filesBelow('test')];
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((path) => !existing.some((file) => file.endsWith(path)))).toEqual([]);
});

test('the README of server/textindex has a row for each file', () => {
  const text = readFileSync(join(root, 'server/textindex/README.md'), 'utf8');
  const own = readdirSync(join(root, 'server/textindex')).filter((file) => file.endsWith('.ts'));
  expect(own.filter((file) => !text.includes(`\`${file}\``))).toEqual([]);
});

test.each(['docs/architecture.md', 'server/ingest/README.md'])(
  '%s draws the steps of the pipeline in their order',
  (document) => {
    const [drawn = ''] = /consent →[^:.]*? key\b/.exec(readFileSync(join(root, document), 'utf8')) ?? [];
    expect(drawn.replaceAll(/[\s│├└─]+/g, '').split('→')).toEqual(STEP_NAMES);
  },
);

test('the folder map of docs/architecture.md has every folder of the server and of the widget, and each file it names', () => {
  const map = readFileSync(join(root, 'docs/architecture.md'), 'utf8').split('## Folders')[1]!.split('```')[1]!;
  const [widget, server] = map.split(/^server\/$/m) as [string, string];
  for (const [top, text] of Object.entries({ widget, server })) {
    const named = [...text.matchAll(/^ {2}([\w-]+\/|[\w.]+\.ts)|(?<= {2,})([a-z][\w-]+\/|[\w.]+\.ts)(?= )/gim)].map(
      ([, first, second]) => (first ?? second)!.replace('/', ''),
    );
    const folders = readdirSync(join(root, top), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(
      folders.filter((folder) => !named.includes(folder)),
      top,
    ).toEqual([]);
    expect(
      named.filter((name) => !existsSync(join(root, top, name))),
      top,
    ).toEqual([]);
  }
});
