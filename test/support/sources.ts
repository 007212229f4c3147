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
  /** Lines of comments. */
  comments: Prose[];
  /** Sentences in string literals. */
  sentences: Prose[];
  functions: Length[];
  imports: Import[];
}

export interface Length {
  /** Where it begins, from 1. */
  line: number;
  /** Lines of its body. */
  lines: number;
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
  return { path, text, code, ...proseOf(text, comments, program), functions: functionsOf(text, program), imports };
}

function proseOf(
  text: string,
  comments: readonly { value: string; start: number }[],
  program: object,
): Pick<Source, 'comments' | 'sentences'> {
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  const lines = (value: string, start: number) =>
    value.split('\n').map((part, index) => ({ line: lineAt(start) + index, text: part }));
  const sentences: Prose[] = [];
  const literal = (node: Record<string, unknown>) =>
    node.type === 'Literal' ? node.value : (node.value as { cooked?: unknown } | undefined)?.cooked;
  walk(program, (node) => {
    const value = node.type === 'Literal' || node.type === 'TemplateElement' ? literal(node) : undefined;
    if (typeof value === 'string' && / \w+ /.test(value)) sentences.push(...lines(value, Number(node.start)));
  });
  return { comments: comments.flatMap(({ value, start }) => lines(value, start)), sentences };
}

function functionsOf(text: string, program: object): Length[] {
  const found: Length[] = [];
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  walk(program, ({ type, body }) => {
    if (!/^(?:Function(?:Declaration|Expression)|ArrowFunctionExpression)$/.test(String(type)) || !body) return;
    const { start, end } = body as { start: number; end: number };
    const [line, last] = [lineAt(start), lineAt(end)];
    found.push({ line, lines: Math.max(1, last - line - 1) });
  });
  return found;
}

/** Calls back with every node of a syntax tree. */
function walk(node: unknown, enter: (node: Record<string, unknown>) => void): void {
  if (typeof node !== 'object' || node === null) return;
  enter(node as Record<string, unknown>);
  for (const part of Object.values(node)) walk(part, enter);
}

function packageName(from: string): string {
  return from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
}
