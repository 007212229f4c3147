// Builds the widget (for browsers) and the server (for Node), and configures the tests.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { WIDGET_ENVIRONMENTS, widgetBuild, widgetEnvironments } from './widget/build/widgetBuild.ts';

/** `npx afterword` makes the file executable once only, when it first meets the package: every build must. */
const executable = {
  name: 'afterword:executable',
  applyToEnvironment: ({ name }: { name: string }) => name === 'server',
  writeBundle: ({ dir = '' }: { dir?: string }) => chmodSync(join(dir, 'main.js'), 0o755),
};

/** Tests that start neither engine, nor server, nor browser, and change nothing global. */
const PURE_TESTS = [
  'test/posts/**/*.test.ts',
  'test/search/*.test.ts',
  'test/recommend/!(filters|laws).test.ts',
  'test/sites/{directory,parseSite,secrets}.test.ts',
  'test/traffic/{cut,moment,period}.test.ts',
  'test/storage/{eventLine,lanes,layout}.test.ts',
  'test/ingest/{campaign,crc32,eventKey,gathering,keyTable,novelty,pace,referrer,steps}.test.ts',
  'test/crawl/{newcomers,pages,schedule}.test.ts',
  'test/checkup/*.test.ts',
  'test/cli/{postRow,viewRow}.test.ts',
  'test/api/metadata.test.ts',
  'test/http/{jsonp,readBody}.test.ts',
  'test/{jobs,profiles,readership}.test.ts',
  'test/widget/{config,records}.test.ts',
  'test/preview/snippet.test.ts',
];

export default defineConfig({
  plugins: [widgetBuild(), executable],
  environments: {
    ...widgetEnvironments,
    preview: {
      consumer: 'client',
      build: {
        outDir: 'dist/widget/preview',
        target: 'es2022',
        copyPublicDir: false,
        emptyOutDir: true,
        modulePreload: false,
        rolldownOptions: {
          input: { app: 'widget/preview/main.tsx' },
          output: { entryFileNames: '[name].js', assetFileNames: 'app[extname]', format: 'es' },
        },
      },
    },
    server: {
      consumer: 'server',
      // Loaded from its package, zod brings its messages in fifty languages: a quarter of the time a command takes to start.
      resolve: { noExternal: ['zod'] },
      build: {
        outDir: 'dist/server',
        target: 'node20',
        minify: false,
        sourcemap: true,
        copyPublicDir: false,
        cssMinify: true,
        ssr: true,
        emptyOutDir: true,
        rolldownOptions: {
          input: {
            main: 'server/main.ts',
            readingThread: 'server/crawl/readingThread.ts',
            indexThread: 'server/library/indexThread.ts',
            thumbnailProcess: 'server/thumbnails/thumbnailProcess.ts',
            searchThread: 'server/library/searchThread.ts',
            spellingThread: 'server/library/spellingThread.ts',
          },
          output: { entryFileNames: '[name].js', format: 'es' },
        },
      },
    },
  },
  builder: {
    async buildApp(builder) {
      for (const name of [...WIDGET_ENVIRONMENTS, 'preview', 'server'])
        await builder.build(builder.environments[name]!);
    },
  },
  test: {
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      // Tests of pure code share the processes they run in, and the modules they import.
      { extends: true, test: { name: 'pure', include: PURE_TESTS, isolate: false } },
      // The engine is one per process, so each of the other files has a process of its own.
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
          exclude: [...configDefaults.exclude, ...PURE_TESTS],
        },
      },
    ],
    setupFiles: ['test/support/seed.ts'],
    globalSetup: ['test/support/globalSetup.ts'],
    // Style sheets are read as they are: fragments carry the widget's.
    css: { include: [/widget\/(ui|rare)\/\w+\.css/] },
    // Machines that run tests are small and shared: a bound for what hangs, not a measure.
    testTimeout: 300_000,
    // A browser on a busy machine may miss a moment once; a second try is printed beside its test, never hidden.
    // At a desk there is none: whoever changes the code shall see it.
    retry: process.env.CI ? 1 : 0,
    hookTimeout: 300_000,
  },
});
