// The project's own sources as the rules of the house look at them: what they import, and their code without comments.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseSync } from 'vite';
import { root } from './build.ts';

export interface Source {
  /** From the project's root, with `/`. */
  path: string;
  text: string;
  /** The text with comments blanked out. */
  code: string;
  /** Lines of comments and sentences in string literals. */
  prose: Prose[];
  imports: Import[];
}

export interface Prose {
  /** From 1. */
  line: number;
  text: string;
}

export interface Import {
  /** Path from the root for a file of ours, else the package's name. */
  from: string;
  /** Whether types only are imported, which leaves nothing in the build. */
  typeOnly: boolean;
  /** `import()`: loaded when the code gets there. */
  dynamic: boolean;
}

/** Every TypeScript file git knows or would add, but generated ones. */
export function readSources(...folders: string[]): Source[] {
  const words = ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...folders];
  const listed = execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim().split('\n');
  const paths = listed.filter(
    (path) => /\.tsx?$/.test(path) && !path.includes('/generated') && existsSync(join(root, path)),
  );
  return [...new Set(paths)].map(readSource);
}

function readSource(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8');
  const { module, comments, program } = parseSync(path, text);
  const code = comments.reduce(
    (left, { start, end }) => left.slice(0, start) + left.slice(start, end).replace(/[^\n]/g, ' ') + left.slice(end),
    text,
  );
  const resolve = (from: string) =>
    from.startsWith('.') ? relative(root, join(root, dirname(path), from)) : packageName(from);
  const imports: Import[] = [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      from: resolve(moduleRequest.value),
      typeOnly: entries.length > 0 && entries.every((entry) => entry.isType),
      dynamic: false,
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) =>
        moduleRequest ? [{ from: resolve(moduleRequest.value), typeOnly: isType, dynamic: false }] : [],
      ),
    ),
    ...module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
      const literal = /^(['"])(.*)\1$/.exec(text.slice(start, end));
      return literal?.[2] === undefined ? [] : [{ from: resolve(literal[2]), typeOnly: false, dynamic: true }];
    }),
  ];
  return { path, text, code, prose: proseOf(text, comments, program), imports };
}

function proseOf(text: string, comments: readonly { value: string; start: number }[], program: object): Prose[] {
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  const lines = (value: string, start: number) =>
    value.split('\n').map((part, index) => ({ line: lineAt(start) + index, text: part }));
  const found = comments.flatMap(({ value, start }) => lines(value, start));
  const literal = (node: Record<string, unknown>) =>
    node.type === 'Literal' ? node.value : (node.value as { cooked?: unknown } | undefined)?.cooked;
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const of = node as Record<string, unknown>;
    const value = of.type === 'Literal' || of.type === 'TemplateElement' ? literal(of) : undefined;
    if (typeof value === 'string' && / \w+ /.test(value)) found.push(...lines(value, Number(of.start)));
    for (const part of Object.values(of)) visit(part);
  };
  visit(program);
  return found;
}

function packageName(from: string): string {
  return from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
}
