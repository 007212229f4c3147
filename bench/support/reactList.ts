// The widget's list as a React application draws it: the same request, markup, style sheet and room, and nothing else.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';

const THEME = fileURLToPath(new URL('../../widget/ui/theme.css', import.meta.url));
const ENTRY = '\0react-list';

const program = (posts: number): string => `
import { createElement as h, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

function List() {
  const [posts, setPosts] = useState(null);
  useEffect(() => {
    fetch('/v2/related?apikey=example.com&limit=${posts}').then((answer) => answer.json()).then(({ data }) => setPosts(data.slice(0, ${posts})));
  }, []);
  const rows = posts || Array.from({ length: ${posts} });
  return h('nav', { part: 'nav related-list', 'aria-label': 'Related' },
    h('h2', { part: 'heading' }, 'Related'),
    h('ul', { part: 'list', 'aria-busy': !posts }, rows.map((post, index) =>
      h('li', { part: 'item', key: post ? post.url : index, 'aria-hidden': !post },
        h('div', { part: 'text' }, post && h('a', { part: 'link', href: post.url }, post.title),
          post && h('div', { part: 'meta' }, h('span', null, post.section), h('time', { dateTime: post.pub_date }, post.pub_date.slice(0, 10))))))));
}

const host = document.getElementById('root');
const root = host.attachShadow({ mode: 'open' });
const sheet = new CSSStyleSheet();
sheet.replaceSync(${JSON.stringify(readFileSync(THEME, 'utf8'))});
root.adoptedStyleSheets = [sheet];
createRoot(root).render(h(List));
`;

/** @returns the script, minified, for production. */
export async function buildReactList(posts: number): Promise<string> {
  const entry: Plugin = {
    name: 'react-list',
    resolveId: (id) => (id === ENTRY ? id : null),
    load: (id) => (id === ENTRY ? program(posts) : null),
  };
  const { output } = (await build({
    configFile: false,
    logLevel: 'silent',
    mode: 'production',
    plugins: [entry],
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, rolldownOptions: { input: ENTRY, output: { format: 'iife' } } },
  })) as Rolldown.RolldownOutput;
  return output[0].code;
}
