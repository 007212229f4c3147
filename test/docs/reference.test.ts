// docs/settings.md, commands.md, widget.md and api.md name every setting, command and path of the code, and no other.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, Option } from 'commander';
import { expect, test } from 'vitest';
import { ROUTES } from '../../server/app.ts';
import { createProgram } from '../../server/cli/program.ts';
import { storageOptions } from '../../server/config.ts';
import { toOpenApi } from '../../server/reference/openapi.ts';
import { root } from '../support/build.ts';
import { readGuide } from './guides/guide.ts';

const rowsOf = (file: string): string[][] =>
  readGuide(file)
    .text.split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    );

const program = createProgram({ version: '0.0.0' } as Parameters<typeof createProgram>[0]);
/** Commands that do something, by their words. */
const commands = new Map<string, Command>();
(function walk(parent: Command, words: string): void {
  for (const command of parent.commands) {
    const name = `${words}${command.name()}`;
    if (command.commands.length === 0 || command.registeredArguments.length > 0) commands.set(name, command);
    walk(command, `${name} `);
  }
})(program, '');

/** Commands that work on files alone, or take the options of the command they stand below. */
const EXCEPT = ['evaluate', 'backup verify'];

const namesOf = (options: readonly Option[]): string[] => options.map(({ long }) => long!);

test('docs/settings.md has a row for each option of the server, with its variable and its default', () => {
  const rows = rowsOf('settings.md').filter(([flag]) => flag!.startsWith('`--'));
  const options = commands.get('serve')!.options;
  expect(rows.map(([flag]) => flag!.replaceAll('`', '')).sort()).toEqual(namesOf(options).sort());
  for (const { long, envVar, defaultValueDescription } of options) {
    const [, variable, fallback] = rows.find(([flag]) => flag === `\`${long}\``)!;
    expect(variable, long!).toBe(envVar ? `\`${envVar}\`` : '');
    if (defaultValueDescription !== undefined) expect(fallback, long!).toBe(`\`${defaultValueDescription}\``);
    else expect(fallback, long!).not.toContain('`');
  }
});

test('docs/commands.md has each command, and no other', () => {
  const named = rowsOf('commands.md').map(([cell]) => cell!.replaceAll('`', ''));
  const described = [...commands.keys()].filter((name) =>
    named.some((cell) => cell === name || cell.startsWith(`${name} `)),
  );
  expect(described).toEqual([...commands.keys()]);
  const words = named.filter((cell) => !cell.startsWith('--')).map((cell) => cell.replace(/ (?:--|<|\[).*/, ''));
  expect(words.filter((name) => !commands.has(name))).toEqual([]);
});

test('docs/commands.md names the options of each command in its section, but for those that all commands take', () => {
  const sections = readGuide('commands.md').text.split(/^## /m);
  const common = new Set([...namesOf(storageOptions('make')), '--json']);
  for (const [name, { options }] of commands) {
    if (name === 'serve') continue;
    const section = sections.find((text) => new RegExp(`^\\| \`${name}[\` ]`, 'm').test(text)) ?? '';
    if (!EXCEPT.includes(name)) expect(namesOf(options), name).toEqual(expect.arrayContaining([...common]));
    const own = namesOf(options).filter((long) => !common.has(long));
    expect(
      own.filter((long) => !new RegExp(`${long}(?![a-z-])`).test(section)),
      name,
    ).toEqual([]);
  }
});

test('docs/widget.md has each command that a page can give', () => {
  const source = readFileSync(join(root, 'widget/commands.ts'), 'utf8');
  const declared = /^export interface Afterword \{\n(.*?)^\}/ms.exec(source)![1]!;
  const methods = [...declared.matchAll(/^ {2}(\w+)\(/gm)].map(([, name]) => name!).filter((name) => name !== 'push');
  const rows = readGuide('widget.md')
    .section('Commands')
    .match(/^\| `\w+(?=\()/gm)!;
  expect(rows.map((row) => row.slice(3)).sort()).toEqual(methods.sort());
});

/** `/v2/top/{posts,videos}` → `/v2/top/posts`, `/v2/top/videos`. */
function spelled(path: string): string[] {
  const [whole, choices] = /\{([^{}]*,[^{}]*)\}/.exec(path) ?? [];
  return whole === undefined ? [path] : choices!.split(',').flatMap((choice) => spelled(path.replace(whole, choice)));
}

test('docs/api.md has each path of the API, and no other', () => {
  const { paths } = toOpenApi(ROUTES);
  // Pages for people are no part of the API.
  const operations = Object.entries(paths).filter(([path]) => !/^\/(?:$|docs|preview)/.test(path));
  const existing = operations.flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const text = readGuide('api.md').text;
  const named = [...text.matchAll(/`((?:GET|POST) [^`]*?)\/?`/g)].flatMap(([, call]) => spelled(call!));
  const below = [...text.matchAll(/(?<=below each .*)`(\/[^`]*)`/g)].flatMap(([, rest]) => spelled(rest!));
  const documented = [...named, ...below.map((rest) => `GET /v2/referrers/search${rest}`)];
  const patterns = existing.map((call) => new RegExp(`^${call.replaceAll(/\{\w+\}/g, '[^/]+')}$`));
  expect(existing.filter((_, index) => !documented.some((call) => patterns[index]!.test(call)))).toEqual([]);
  expect(documented.filter((call) => !patterns.some((pattern) => pattern.test(call)))).toEqual([]);
});
