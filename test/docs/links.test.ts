// Links between the documents lead to files and headings that are there.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
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

/** Addresses of the headings of a document, as GitHub makes them: letters, digits, hyphens and underscores stay. */
const anchorsOf = (file: string): string[] =>
  [...readText(file).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

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

test('the README is a landing page: at most 9 kB', () => {
  expect(Buffer.byteLength(readFileSync(join(root, 'README.md')))).toBeLessThanOrEqual(9000);
});

test('each guide is reached from the README', () => {
  const readme = readText('README.md');
  expect(documents.filter((file) => file.startsWith('docs/') && !readme.includes(`](${file}`))).toEqual([]);
});
