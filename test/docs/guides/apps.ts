// The applications of docs/frameworks.md, built as a bundler builds them: React as it is published; Next.js and Vue by what the guide
// uses of them, written here.
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { root } from '../../support/build.ts';
import type { Guide } from './guide.ts';
import type { GuideStage } from './guideStage.ts';

/** `next/script` with the strategy `afterInteractive`: adds the script once the page is hydrated, with the attributes it has. */
const NEXT_SCRIPT = `import { useEffect } from 'react';
export default function Script({ strategy, ...attributes }) {
  useEffect(() => {
    const script = document.createElement('script');
    for (const [name, value] of Object.entries(attributes)) script.setAttribute(name, value);
    document.body.append(script);
  }, []);
  return null;
}
`;

const ARTICLES = `export const readArticle = async () => ({
  title: 'Bread & butter </script>',
  text: 'Flour, water, salt.',
  published: '2026-03-01T08:30:00Z',
  section: 'Kitchen',
  authors: ['Ada Quay', 'Mo Finch'],
});
`;

const TREES = `import { App } from './App.jsx';
import RootLayout from './app/layout.jsx';
import Page from './app/articles/[slug]/page.jsx';
import { Slot } from './Slot.jsx';
const article = { title: 'Bread', text: 'Flour, water, salt.' };
export const trees = {
  react: async () => <App article={article} />,
  next: async () => <RootLayout>{await Page({ params: Promise.resolve({ slug: 'post-0' }) })}</RootLayout>,
  early: async () => <Slot />,
};
`;

/** Each application hydrates what the server has drawn, when the page says so. */
const CLIENT = `import { hydrateRoot } from 'react-dom/client';
import { trees } from './trees.jsx';
globalThis.hydrate = async (name, at) => hydrateRoot(at, await trees[name]());
`;

const SERVER = `import { renderToString } from 'react-dom/server';
import { trees } from './trees.jsx';
export const draw = async (name) => renderToString(await trees[name]());
`;

export interface Apps {
  /** What a server draws. */
  draw(name: 'react' | 'next' | 'early'): Promise<string>;
  /** Script tag of the module that defines `hydrate(name, at)`. */
  client: string;
  /** Script tag of the module of Vue's component, which is mounted when it is loaded. */
  vue: string;
}

/** Builds the applications in an empty folder, and publishes them on the stage. */
export async function buildApps(folder: string, guide: Guide, { files: published, here }: GuideStage): Promise<Apps> {
  const vue = guide.block('Vue', 'vue');
  const [, mounted = ''] = /<script setup>\n(.*?)<\/script>/s.exec(vue) ?? [];
  const files: Record<string, string> = {
    'package.json': '{"type":"module"}',
    'Afterword.jsx': guide.block('React', 'jsx', 0),
    'App.jsx': guide.block('React', 'jsx', 1),
    'MostRead.tsx': guide.block('React', 'tsx'),
    'app/layout.jsx': guide.block('Next.js', 'jsx', 0),
    'app/articles/[slug]/page.jsx': guide.block('Next.js', 'jsx', 1),
    'articles.js': ARTICLES,
    'Slot.jsx': guide.block('Hydration', 'jsx'),
    'trees.jsx': TREES,
    'client.jsx': CLIENT,
    'server.jsx': SERVER,
    'vue.js': mounted,
    'node_modules/next/script.js': NEXT_SCRIPT,
    'node_modules/vue/index.js': 'export const onMounted = (call) => call();',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), here(text));
  }
  for (const name of ['react', 'react-dom'])
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'dir');
  await symlink(join(root, 'dist/module'), join(folder, 'node_modules/afterword-widget'), 'dir');
  const settings = {
    root: folder,
    configFile: false,
    logLevel: 'error',
    oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
    ssr: { noExternal: true },
  } as const;
  const output = { minify: false, modulePreload: false } as const;
  const input = { client: join(folder, 'client.jsx'), vue: join(folder, 'vue.js') };
  await build({ ...settings, build: { ...output, outDir: 'browser', rolldownOptions: { input } } });
  await build({ ...settings, build: { ...output, outDir: 'node', ssr: 'server.jsx' } });
  const assets = await readdir(join(folder, 'browser/assets'));
  for (const name of assets) {
    const body = await readFile(join(folder, 'browser/assets', name));
    published.set(`/assets/${name}`, { body, type: 'text/javascript' });
  }
  const tagOf = (name: string) =>
    `<script type="module" src="/assets/${assets.find((asset) => asset.startsWith(`${name}-`))}"></script>`;
  const { draw } = (await import(pathToFileURL(join(folder, 'node/server.js')).href)) as Pick<Apps, 'draw'>;
  return { draw, client: tagOf('client'), vue: tagOf('vue') };
}
