// Builds Preact from its own source without what nothing here can reach (preactFacts.ts). In the syntax tree, names are replaced
// by what they always are, and the minifier then sees which branches are dead. A name that Preact has no more fails the build: no
// update of Preact passes unseen. test/widget/preact.test.ts compares what is left with the whole.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Plugin, parseAst } from 'vite';
import { STATEMENTS, VALUES } from './preactFacts.ts';

const SOURCE = join(dirname(createRequire(import.meta.url).resolve('preact/package.json')), 'src/');

/** Preact's table of hooks, but for the one that is none: an error leaves the way it came. */
const OPTIONS = 'export default { _catchError(error) { throw error; } };';

interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

interface Found {
  code: string;
  changes: { start: number; end: number; text: string }[];
  unmet: Set<string>;
}

export function smallPreact(): Plugin {
  const unmet = new Set([...Object.keys(VALUES), ...STATEMENTS]);
  return {
    name: 'afterword-preact',
    enforce: 'pre',
    apply: 'build',
    sharedDuringBuild: true,
    applyToEnvironment: ({ name }) => name !== 'server' && name !== 'preview',
    resolveId: (id) => (id === 'preact' ? join(SOURCE, 'index.js') : null),
    load: (id) => (id === join(SOURCE, 'options.js') ? OPTIONS : null),
    transform(code, id) {
      if (!id.startsWith(SOURCE) || id.endsWith('/constants.js')) return null;
      const found: Found = { code, changes: [], unmet };
      visit(parseAst(code) as unknown as Node, found);
      return { code: withChanges(found), map: null };
    },
    buildEnd(error) {
      const used = [...this.getModuleIds()].some((id) => id.startsWith(SOURCE));
      if (!error && used && unmet.size) this.error(`Preact has changed: it has no ${[...unmet].join(', ')}`);
    },
  };
}

/** Fields of a node in which a name is not a use of its value. */
const NAMING: Record<string, string[]> = {
  AssignmentExpression: ['left'],
  FunctionDeclaration: ['id', 'params'],
  FunctionExpression: ['id', 'params'],
  ArrowFunctionExpression: ['params'],
  UpdateExpression: ['argument'],
  Property: ['key'],
};

function visit(node: Node, found: Found): void {
  const { code, changes, unmet } = found;
  if (/^(Import|ExportNamedDeclaration)/.test(node.type) && !node.declaration) return;
  const known = toKnown(node, code.slice(node.start, node.end).replace(/\s+/g, ' '));
  if (known) {
    unmet.delete(known.what);
    changes.push({ start: node.start, end: node.end, text: known.text });
    return;
  }
  if (node.type === 'VariableDeclarator') {
    const init = node.init as Node | null;
    const { name } = node.id as Node;
    // What it would be set to is not even asked.
    if (init && Object.hasOwn(VALUES, name as string)) changes.push({ ...init, text: 'undefined' });
    else if (init) visit(init, found);
    return;
  }
  for (const [field, child] of Object.entries(node)) {
    const naming = NAMING[node.type]?.includes(field);
    for (const one of (Array.isArray(child) ? child : [child]) as (Node | null)[]) {
      if (!one?.type) continue;
      if (!naming) visit(one, found);
      // `a.b = c` uses a, `a = b` does not.
      else if (one.type === 'MemberExpression') visit(one.object as Node, found);
    }
  }
}

/** What stands for a node: nothing for a statement to be left out, else its value. `what` is the entry that says so. */
function toKnown(node: Node, source: string): { what: string; text: string } | undefined {
  if (node.type === 'ExpressionStatement' || node.type === 'IfStatement') {
    const statement = STATEMENTS.find((beginning) => source.startsWith(beginning));
    return statement ? { what: statement, text: ';' } : undefined;
  }
  if (node.type === 'VariableDeclarator') return;
  const value = entryOf(node, source);
  if (value) return { what: value, text: VALUES[value]! };
  // The minifier does not know that nothing is left of a number without bits.
  if (node.type !== 'BinaryExpression' || node.operator !== '&') return;
  const sides = [node.left, node.right].map((side) => (side as Node).name as string);
  const zero = sides.find((name) => VALUES[name] === '0');
  return zero ? { what: zero, text: '0' } : undefined;
}

/** The entry of VALUES that a node is: by its text, or by the end of its dotted name. */
function entryOf(node: Node, source: string): string | undefined {
  if (Object.hasOwn(VALUES, source)) return source;
  if (node.type !== 'MemberExpression' || node.computed) return;
  const [last, before] = source.split('.').reverse();
  return [`${before}.${last}`, last!].find((name) => Object.hasOwn(VALUES, name));
}

function withChanges({ code, changes }: Found): string {
  let end = code.length;
  let text = '';
  for (const change of changes.toSorted((a, b) => b.start - a.start)) {
    text = change.text + code.slice(change.end, end) + text;
    end = change.start;
  }
  return code.slice(0, end) + text;
}
