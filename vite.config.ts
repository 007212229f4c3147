// Builds the widget (for browsers) and the server (for Node), and configures the tests.
import { chmodSync, copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { EnvironmentOptions, Rolldown } from 'vite';
import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longestFirst.ts';
import {
  BUILD_CHECKS,
  WIDGET_ENVIRONMENTS,
  widgetBuild,
  widgetEnvironments,
  writeCompressed,
} from './widget/build/widgetBuild.ts';

/** `npx afterword` makes the file executable once only, when it first meets the package: every build must. */
const executable = {
  name: 'afterword:executable',
  applyToEnvironment: ({ name }: { name: string }) => name === 'server',
  writeBundle({ dir = '' }: { dir?: string }) {
    for (const program of ['main.js', 'demo.js']) chmodSync(join(dir, program), 0o755);
  },
};

/** Applications on pages of the server's own, each in its folder of widget/. */
const APPLICATIONS = ['preview', 'console'] as const;

const applicationOf = (name: (typeof APPLICATIONS)[number]): EnvironmentOptions => ({
  consumer: 'client',
  build: {
    outDir: `dist/widget/${name}`,
    target: 'es2022',
    copyPublicDir: false,
    emptyOutDir: true,
    modulePreload: false,
    rolldownOptions: {
      checks: BUILD_CHECKS,
      input: { app: `widget/${name}/main.tsx` },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        assetFileNames: 'app[extname]',
        format: 'es',
      },
    },
  },
});

/** The server compresses no files: their compressed forms stand beside them. */
const compressedApplications = {
  name: 'afterword:applications',
  applyToEnvironment: ({ name }: { name: string }) => APPLICATIONS.some((one) => one === name),
  writeBundle({ dir = '' }: { dir?: string }, bundle: Rolldown.OutputBundle) {
    for (const { fileName } of Object.values(bundle)) writeCompressed(join(dir, fileName));
  },
};

/**
 * Packages that the server loads from node_modules: native code, and the readers of pages, which few commands need. All others are in the
 * built files: to find and load several hundred modules one by one takes a quarter of the processor time of a start. The
 * SDK of the Model Context Protocol is a development dependency for that: it would bring 78 packages, of which six are used.
 */
const LOADED_PACKAGES = ['chdb', 'sharp', 'linkedom', '@mozilla/readability'];

/** Folders of packages in the path of a module: of each, what follows the last `node_modules`. */
const PACKAGE_FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;

/** The licences of the packages whose code is in the built files ask to be copied with it. */
const licences = {
  name: 'afterword:licences',
  applyToEnvironment: ({ name }: { name: string }) => name === 'server',
  writeBundle({ dir = '' }: { dir?: string }, bundle: Rolldown.OutputBundle) {
    const target = join(dir, '../licences');
    mkdirSync(target, { recursive: true });
    const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
    const packages = modules.flatMap((id) => PACKAGE_FOLDER.exec(id)?.[0] ?? []);
    for (const folder of new Set([...packages, ...WIDGET_PACKAGES.map((name) => resolve('node_modules', name))])) {
      const licence = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
      const name = folder.slice(folder.lastIndexOf('/node_modules/') + '/node_modules/'.length);
      if (licence) copyFileSync(join(folder, licence), join(target, `${name.replace('/', '-')}.txt`));
    }
  },
};

/** Packages whose code is in the widget. */
const WIDGET_PACKAGES = ['idb-keyval', 'preact'];

/** Tests of code that works on a page's document without a browser. */
const DOM_TESTS = ['test/widget/{jsonp,list}.test.{ts,tsx}'];

/** Tests in a browser: the widget in pages, the console, the demo newspaper. `npm run test:browser` runs them. */
const BROWSER_TESTS = ['test/{browser,console,demo,firefox}/**/*.test.ts'];

/** Tests that run the program as an operator does: its commands, its package. `npm run test:commands` runs them. */
const COMMAND_TESTS = [
  'test/{cli,deploy,evaluation,package}/**/*.test.ts',
  'test/crawl/{fillSite,server}.test.ts',
  'test/docs/{guides,operate,publishing}.test.ts',
  'test/http/{accessLog,thumbnails,thumbnailsKept}.test.ts',
  'test/ingest/settings.test.ts',
  'test/widget/modulePackage.test.ts',
];

/**
 * Tests that compare whole answers with a second way to get them: a count by hand over random traffic, every post scored,
 * every value of every parameter, an evaluation, a simulated year. `npm run test:laws` runs them.
 */
const LAW_TESTS = [
  'test/alarms/year.test.ts',
  'test/api/frontier.test.ts',
  'test/recommend/{cosineBound,filters,floor,laws,merging}.test.ts',
  'test/reference/parameters.test.ts',
  'test/search/search.test.ts',
  'test/storage/materialisedHours.test.ts',
  'test/traffic/{agreement,conversions,laws,windows}.test.ts',
];

/**
 * Tests that start database servers of their own, several of most: they move, spread, back up and kill them.
 * `npm run test:clusters` runs them by themselves.
 */
const CLUSTER_TESTS = ['test/remote/*.test.ts'];

/**
 * Tests that kill the server, fill its disk, damage its files, take its engine away, flood it, ask for its most expensive
 * answers all at once and send it what only an attacker sends, over and over, and count afterwards. `npm run test:faults`
 * runs them by themselves.
 */
const FAULT_TESTS = [
  'test/faults/*.test.ts',
  'test/{mcp,recommend,siteIndex}/hostile.test.ts',
  'test/cli/{backupDamage,backupDisk,damagedPart,dataLock,diskQuota,restoreKilled,transferTrouble}.test.ts',
  'test/deploy/rollingRestart.test.ts',
  'test/http/{everything,fuzz,hostileBodies,longLists,thumbnailsHostile}.test.ts',
  'test/ingest/{attacks,faults,flood,inventedNames,logDamage}.test.ts',
  'test/ledger/kept.test.ts',
  'test/storage/{brokenOff,deduplicationLog,halfWritten,slowPing}.test.ts',
];

export default defineConfig({
  plugins: [widgetBuild(), compressedApplications, executable, licences],
  environments: {
    ...widgetEnvironments,
    ...Object.fromEntries(APPLICATIONS.map((name) => [name, applicationOf(name)])),
    server: {
      consumer: 'server',
      resolve: { noExternal: true, external: LOADED_PACKAGES },
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
          checks: BUILD_CHECKS,
          input: {
            main: 'server/main.ts',
            demo: 'demo/main.ts',
            readingThread: 'server/crawl/readingThread.ts',
            frontierThread: 'server/evaluation/frontierThread.ts',
            indexThread: 'server/siteIndex/indexThread.ts',
            thumbnailProcess: 'server/thumbnails/thumbnailProcess.ts',
            searchThread: 'server/siteIndex/searchThread.ts',
            tokenizerThread: 'server/siteIndex/tokenizerThread.ts',
          },
          output: { entryFileNames: '[name].js', format: 'es' },
        },
      },
    },
  },
  builder: {
    async buildApp(builder) {
      for (const name of [...WIDGET_ENVIRONMENTS, ...APPLICATIONS, 'server'])
        await builder.build(builder.environments[name]!);
    },
  },
  test: {
    pool: 'forks',
    // More than the machines that run tests have cores: files wait for servers, browsers and timers half of their time.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Files share the processes they run in, one after another, and the modules these import: to import the server takes a second, and
    // there are some hundred files that do. The engine is one per process: a file closes what it opened.
    isolate: false,
    projects: [
      // First and by themselves: another environment needs another process.
      { extends: true, test: { name: 'dom', include: DOM_TESTS, environment: 'happy-dom' } },
      {
        extends: true,
        test: {
          name: 'main',
          include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
          exclude: [
            ...configDefaults.exclude,
            ...DOM_TESTS,
            ...BROWSER_TESTS,
            ...COMMAND_TESTS,
            ...LAW_TESTS,
            ...CLUSTER_TESTS,
            ...FAULT_TESTS,
          ],
        },
      },
      { extends: true, test: { name: 'browser', include: BROWSER_TESTS } },
      {
        extends: true,
        test: { name: 'commands', include: COMMAND_TESTS, exclude: [...configDefaults.exclude, ...FAULT_TESTS] },
      },
      { extends: true, test: { name: 'laws', include: LAW_TESTS } },
      { extends: true, test: { name: 'clusters', include: CLUSTER_TESTS } },
      { extends: true, test: { name: 'faults', include: FAULT_TESTS } },
    ],
    setupFiles: ['test/support/seed.ts'],
    globalSetup: ['test/support/globalSetup.ts'],
    // Style sheets are read as they are: fragments carry the widget's.
    css: { include: [/widget\/(ui|rare)\/\w+\.css/] },
    // Machines that run tests are small and shared: a bound for what hangs, not a measure.
    testTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // A browser on a busy machine may miss a moment once; a second try is printed beside its test, never hidden.
    // Without CI there is none, so that a change that breaks a test is seen.
    retry: process.env.CI ? 1 : 0,
    hookTimeout: 300_000,
  },
});
