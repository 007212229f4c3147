// Builds what publishers load: the rolling loader `afterword.js`, its three hashed parts, `afterword.one.js`, which is all in one,
// the same frozen as `<version>/afterword.js`, and `p.js` for pages with an older installation. integrity.json has their hashes.
// Each file stands beside its .br and .gz, so that the server compresses nothing. And the ES module with its types, for bundlers.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type MinifyOptions, minify, type SimpleIdentifierMangler } from 'terser';
import { type EnvironmentOptions, type Plugin, parseAst } from 'vite';

/** In the order they are built: the page part is told the name of the rare part, the loader those of the others. */
export const WIDGET_ENVIRONMENTS = ['rare', 'client', 'loader', 'oneFile', 'parsely', 'module'] as const;

const FOLDER = 'dist/widget';
const MODULE_FOLDER = 'dist/module';
/** Container queries, `round()` in style sheets: browsers since about 2023. */
const TARGET = 'es2022';

/** `es`: a module that others import, under a name with a hash unless it is for bundlers. */
interface Shape {
  es?: boolean;
  outDir?: string;
  emptyOutDir?: boolean;
}

function environment(input: Record<string, string>, shape: Shape = {}): EnvironmentOptions {
  const { es = false, outDir = FOLDER, emptyOutDir = false } = shape;
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
        preserveEntrySignatures: 'allow-extension',
        output: {
          format: es ? 'es' : 'iife',
          // Cheaper in the loader than letters of both cases.
          hashCharacters: 'hex',
          entryFileNames: es && outDir === FOLDER ? '[name]-[hash:6].js' : '[name].js',
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
        },
      },
    },
  };
}

export const widgetEnvironments: Record<(typeof WIDGET_ENVIRONMENTS)[number], EnvironmentOptions> = {
  rare: environment({ rare: 'widget/rare/rare.ts' }, { es: true, emptyOutDir: true }),
  client: environment({ page: 'widget/attend.ts', list: 'widget/ui/show.tsx' }, { es: true }),
  loader: environment({ afterword: 'widget/main.ts' }),
  oneFile: environment({ 'afterword.one': 'widget/oneFile.ts' }),
  parsely: environment({ p: 'widget/parsely.ts' }),
  module: environment({ afterword: 'widget/module.ts' }, { es: true, outDir: MODULE_FOLDER, emptyOutDir: true }),
};

const LETTERS = 'etnrisouaflchpdvmgybwxkqjzESTNCLAOMDPHBIFRUWVGYKXQJZ$_';
/** Letters that come first as names of variables: which are best differs from file to file. */
const FIRST = ['', 'abcdefghij', 'teanrisolc', 'rstoenaild', 'oeatrnsilc', 'ABCDEFGHIJ', 'nertisoalu', 'aeioutrnsl'];

/** The same with `let` for `const`, one word for both. */
function withLet(code: string): string {
  const starts: number[] = [];
  const visit = (node: object): void => {
    const { kind, start } = node as { kind?: string; start: number };
    if (kind === 'const') starts.push(start);
    for (const child of Object.values(node)) if (typeof child === 'object' && child) visit(child);
  };
  visit(parseAst(code));
  return starts.toSorted((a, b) => b - a).reduce((text, at) => `${text.slice(0, at)}let${text.slice(at + 5)}`, code);
}

/** The same with its variables named so that it compresses best. */
async function renamed(code: string): Promise<string> {
  const tries = FIRST.map(async (first) => {
    const letters = [...new Set(first + LETTERS)];
    const nth_identifier: SimpleIdentifierMangler = {
      get: (n) =>
        (n < letters.length ? '' : nth_identifier.get(Math.floor(n / letters.length) - 1)) +
        letters[n % letters.length],
    };
    return (await minify(code, { ecma: 2022, module: true, compress: false, mangle: { nth_identifier } })).code ?? '';
  });
  return [code, ...(await Promise.all(tries))].reduce((best, next) =>
    brotli(next).length < brotli(best).length ? next : best,
  );
}

/** Minifies with `_` names shortened, tells the loader where its parts are, and compresses what is written. */
export function widgetBuild(): Plugin {
  const partNames: Record<string, string> = {};
  let nameCache: MinifyOptions['nameCache'] = {};
  return {
    name: 'afterword-widget',
    apply: 'build',
    // One instance for all builds: the later ones need what the earlier ones found out.
    sharedDuringBuild: true,
    applyToEnvironment: ({ name }) => (WIDGET_ENVIRONMENTS as readonly string[]).includes(name),
    transform(code, id) {
      if (!/\/widget\/(start|page)\.ts$/.test(id)) return null;
      const { name: environment } = this.environment;
      const together = ['oneFile', 'parsely', 'module'].includes(environment);
      return code.replace(/\b(PAGE|LIST|RARE)_FILE\b/g, (_, part: string) => {
        const name = part.toLowerCase();
        return JSON.stringify(together ? name : partNames[name]);
      });
    },
    renderChunk: {
      order: 'post',
      handler: async (code) => {
        const result = await minify(code, {
          ecma: 2022,
          module: true,
          toplevel: true,
          compress: { ecma: 2022, passes: 3, pure_getters: true, unsafe: true, unsafe_arrows: true, keep_fargs: false },
          // The reserved ones are words of the interface.
          mangle: { properties: { regex: /^_/, reserved: ['_conversion_type', '_conversion_label'] } },
          nameCache,
        });
        // Only the names of properties are shared: variables start afresh in every file.
        nameCache = { props: (nameCache as { props?: object }).props };
        return { code: await renamed(withLet(result.code ?? '')), map: null };
      },
    },
    writeBundle(_, bundle) {
      if (this.environment.name === 'module') return writeTypes();
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk' && chunk.isEntry) partNames[chunk.name] = chunk.fileName;
        writeCompressed(join(FOLDER, chunk.fileName));
        if (chunk.fileName === 'afterword.one.js') freeze();
      }
    },
  };
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

function writeCompressed(path: string): void {
  const plain = readFileSync(path);
  writeFileSync(`${path}.br`, brotli(plain));
  writeFileSync(`${path}.gz`, gzipSync(plain, { level: 9 }));
}
