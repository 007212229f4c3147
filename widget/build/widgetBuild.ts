// Builds what publishers load: the rolling loader `afterword.js`, its parts under one hash, `afterword.one.js`, which
// is all in one, the same frozen as `<version>/afterword.js`, and `p.js` for pages with an older installation.
// integrity.json has their hashes. Each file stands beside its .br and .gz, so that the server compresses nothing. And
// the ES module with its types, for bundlers.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type MinifyOptions, minify, type SimpleIdentifierMangler } from 'terser';
import { type EnvironmentOptions, type Plugin, parseAst } from 'vite';
import { writeModulePackage } from './modulePackage.ts';

/** In the order they are built: the loader gets the hashes in the names of the parts before it. */
export const WIDGET_ENVIRONMENTS = [
  'client',
  'both',
  'experiment',
  'rare',
  'loader',
  'oneFile',
  'parsely',
  'module',
] as const;

const FOLDER = 'dist/widget';
const MODULE_FOLDER = 'dist/module';
/** Container queries, `round()` in style sheets: browsers since about 2023. */
const TARGET = 'es2022';

/** Parts that few pages load, each alone: they import no code of each other or of the other parts. */
const RARE_PARTS = {
  rare: 'widget/rare/rare.ts',
  alternatives: 'widget/rare/alternatives.ts',
  fit: 'widget/rare/fit.ts',
  room: 'widget/rare/room.ts',
  why: 'widget/rare/why.ts',
  template: 'widget/rare/services.ts',
  arrows: 'widget/rare/arrows.ts',
  languages: 'widget/rare/languages.ts',
  scripts: 'widget/rare/scripts.ts',
  videos: 'widget/rare/videos.ts',
};

/**
 * `es`: without a function around it, for a module that others import or a script that gets a block. `isPublic`: its
 * exports are those of its source, nothing that parts of it share.
 */
interface Shape {
  es?: boolean;
  isPublic?: boolean;
  outDir?: string;
  emptyOutDir?: boolean;
}

/**
 * Of every build. Minifying and compressing are most of one: rolldown's warning about their time, which it prints where
 * the machine is busy, says nothing that could be mended.
 */
export const BUILD_CHECKS = { bundlerTimings: false };

function environment(input: Record<string, string>, shape: Shape = {}): EnvironmentOptions {
  const { es = false, isPublic = false, outDir = FOLDER, emptyOutDir = false } = shape;
  return {
    consumer: 'client',
    build: {
      outDir,
      emptyOutDir,
      target: TARGET,
      cssTarget: ['chrome125', 'safari17', 'firefox118'],
      // Terser does it below: only it can shorten the same property names alike in several files.
      minify: false,
      cssMinify: true,
      modulePreload: false,
      copyPublicDir: false,
      rolldownOptions: {
        input,
        checks: BUILD_CHECKS,
        preserveEntrySignatures: isPublic ? 'strict' : 'allow-extension',
        output: {
          format: es ? 'es' : 'iife',
          entryFileNames: '[name].js',
          minify: false,
        },
      },
    },
  };
}

export const widgetEnvironments: Record<(typeof WIDGET_ENVIRONMENTS)[number], EnvironmentOptions> = {
  client: environment({ page: 'widget/attend.ts', list: 'widget/ui/show.tsx' }, { es: true, emptyOutDir: true }),
  both: environment({ both: 'widget/both.ts' }, { es: true }),
  // Apart from the others: what two parts share would be a file of its own.
  experiment: environment({ experiment: 'widget/rare/experiment.ts' }, { es: true }),
  rare: environment(RARE_PARTS, { es: true }),
  loader: environment({ afterword: 'widget/main.ts' }, { es: true }),
  oneFile: environment({ 'afterword.one': 'widget/oneFile.ts' }),
  parsely: environment({ p: 'widget/parsely.ts' }),
  module: {
    ...environment(
      { afterword: 'widget/module.ts' },
      { es: true, isPublic: true, outDir: MODULE_FOLDER, emptyOutDir: true },
    ),
    // Else imports of chunks are wrapped in Vite's preloading, which is the bundler's decision here.
    consumer: 'server',
    resolve: { noExternal: true },
  },
};

/** Variables are named by the most frequent letters of programs first: names made of them compress best. */
const LETTERS = 'etnrisouaflchpdvmgybwxkqjzESTNCLAOMDPHBIFRUWVGYKXQJZ$_';
const nth_identifier: SimpleIdentifierMangler = {
  get: (n) =>
    (n < LETTERS.length ? '' : nth_identifier.get(Math.floor(n / LETTERS.length) - 1)) + LETTERS[n % LETTERS.length],
};

/**
 * Has V8 compile the functions of a file with the file: compiled when they are first called, they are parsed twice.
 * Other engines read a comment. https://v8.dev/blog/explicit-compile-hints
 */
const COMPILE_HINT = '//# allFunctionsCalledOnLoad\n';

/** Files most of whose functions are called at once. */
const HINTED: readonly string[] = ['client', 'both', 'oneFile'];

/** The same with `let` for `const`, one word for both, and for `var` where it would declare a global. */
function withLet(code: string): string {
  const words: { kind: string; start: number }[] = [];
  const visit = (node: object, outermost: boolean): void => {
    const { kind, start } = node as { kind?: string; start: number };
    if (kind === 'const' || (kind === 'var' && outermost)) words.push({ kind, start });
    for (const child of Object.values(node)) if (typeof child === 'object' && child) visit(child, false);
  };
  for (const statement of parseAst(code).body) visit(statement, true);
  return words
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { kind, start }) => `${text.slice(0, start)}let${text.slice(start + kind.length)}`, code);
}

/**
 * As a classic script whose names are its own: a block is shorter than a function. @throws for what a block does not
 * keep inside.
 */
function inBlock(code: string): string {
  const leak = parseAst(code).body.find(({ type }) => type === 'FunctionDeclaration');
  if (leak)
    throw new Error('The loader declares a function, which would be a global of the page: write it as an arrow.');
  return `{${code}}`;
}

/** Minifies with `_` names shortened, sets the names of the parts in the loader, and compresses what is written. */
export function widgetBuild(): Plugin {
  let ending = '';
  let nameCache: MinifyOptions['nameCache'] = {};
  return {
    name: 'afterword-widget',
    apply: 'build',
    // One instance for all builds: the later ones need what the earlier ones found out.
    sharedDuringBuild: true,
    applyToEnvironment: ({ name }) => (WIDGET_ENVIRONMENTS as readonly string[]).includes(name),
    transform(code) {
      const { name } = this.environment;
      return code
        .replace(/\bPARTS_ENDING\b(?!:)/, JSON.stringify(ending))
        .replace(/\bEXTRAS\b(?!:)/g, `${name !== 'oneFile'}`)
        .replace(/\bIN_PARTS\b(?!:)/g, `${name === 'loader'}`);
    },
    renderChunk: {
      order: 'post',
      async handler(code) {
        const isLoader = this.environment.name === 'loader';
        const isHinted = HINTED.includes(this.environment.name);
        const result = await minify(withLet(code), {
          ecma: 2022,
          module: true,
          toplevel: true,
          // In the loader, whose bytes are counted one by one, a boolean is an option of the browser or a mark.
          compress: {
            booleans_as_integers: isLoader,
            ecma: 2022,
            // In large files comparisons stay as they are written, one like the other, which compresses better.
            lhs_constants: !isHinted,
            passes: 3,
            pure_getters: true,
            unsafe: true,
            unsafe_arrows: true,
            unsafe_methods: true,
            keep_fargs: false,
          },
          // The reserved ones are words of the interface.
          mangle: {
            nth_identifier,
            properties: { regex: /^_/, reserved: ['_conversion_type', '_conversion_label', '_stubs'] },
          },
          nameCache,
        });
        // Only the names of properties are shared: variables start afresh in every file.
        nameCache = { props: (nameCache as { props?: object }).props };
        const small = withLet(result.code ?? '');
        return { code: (isHinted ? COMPILE_HINT : '') + (isLoader ? inBlock(small) : small), map: null };
      },
    },
    writeBundle(_, bundle) {
      const { name } = this.environment;
      if (name === 'module') {
        writeTypes();
        writeModulePackage(MODULE_FOLDER);
      } else if (name === 'rare') ending = writeParts();
      else if (name !== 'client' && name !== 'both')
        for (const { fileName } of Object.values(bundle)) write(fileName, readFileSync(join(FOLDER, fileName), 'utf8'));
      if (name === 'oneFile') freeze();
    },
  };
}

/**
 * Gives the parts names that will never mean other contents: one hash for all, as they are made for each other. Hex is
 * cheaper in the loader than letters of both cases.
 * @returns how the names end.
 */
function writeParts(): string {
  const parts = [...Object.keys(RARE_PARTS), 'experiment', 'page', 'list', 'both'].map(
    (name) => [name, readFileSync(join(FOLDER, `${name}.js`), 'utf8')] as const,
  );
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 6);
  const ending = `-${hash}.js`;
  for (const [name, code] of parts) {
    rmSync(join(FOLDER, `${name}.js`));
    write(name + ending, code.replace('./page.js', `./page${ending}`));
  }
  return ending;
}

/** Writes a file as readers get it, and beside it as it travels. */
function write(name: string, code: string): void {
  writeFileSync(join(FOLDER, name), code);
  writeCompressed(join(FOLDER, name));
}

/** The one file, under a name that will never mean another; and its hash, for `integrity=` on the tag. */
function freeze(): void {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const plain = readFileSync(join(FOLDER, 'afterword.one.js'));
  mkdirSync(join(FOLDER, version), { recursive: true });
  writeFileSync(join(FOLDER, version, 'afterword.js'), plain);
  writeCompressed(join(FOLDER, version, 'afterword.js'));
  const hash = `sha384-${createHash('sha384').update(plain).digest('base64')}`;
  writeFileSync(join(FOLDER, 'integrity.json'), `${JSON.stringify({ [`${version}/afterword.js`]: hash }, null, 2)}\n`);
}

/** The types of the module and of what they name, beside it. */
function writeTypes(): void {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', 'widget/build/types.json'], { stdio: 'inherit' });
}

const brotli = (plain: Buffer | string): Buffer =>
  brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });

/** Writes the compressed forms of a file beside it. */
export function writeCompressed(path: string): void {
  const plain = readFileSync(path);
  writeFileSync(`${path}.br`, brotli(plain));
  writeFileSync(`${path}.gz`, gzipSync(plain, { level: 9 }));
}
