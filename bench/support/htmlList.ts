// The widget's list as a part of the page's HTML: the same markup and style sheet in a declarative shadow root, without
// a script or a request. What a browser takes to draw it is the floor of every way to show the list.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const THEME = fileURLToPath(new URL('../../widget/ui/theme.css', import.meta.url));

/** Fields of a post, as /related answers them. Nothing in them needs to be escaped. */
interface Post {
  title: string;
  url: string;
  section: string;
  pub_date: string;
}

/** @returns HTML of an element that shows the posts. */
export function toHtmlList(posts: readonly Post[]): string {
  const items = posts.map(
    ({ title, url, section, pub_date }) =>
      `<li part="item"><div part="text"><a part="link" href="${url}">${title}</a><div part="meta"><span part="section">${section}</span>` +
      ` · <time part="date" datetime="${pub_date}">${pub_date.slice(0, 10)}</time></div></div></li>`,
  );
  return (
    `<div style="display:flow-root"><template shadowrootmode="open"><style>${readFileSync(THEME, 'utf8')}</style>` +
    `<nav part="nav related-list" aria-label="Related"><h2 part="heading">Related</h2>` +
    `<ul part="list" role="list" aria-busy="false">${items.join('')}</ul></nav></template></div>`
  );
}
