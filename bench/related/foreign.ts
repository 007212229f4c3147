// Posts that belong to none of the article sets: the readmes of the packages installed here.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IndexedPost } from '../../server/textindex/catalogue.ts';

const MODULES = new URL('../../node_modules/', import.meta.url);
const SHORTEST = 2000;
const MOST = 150;

export function foreignPosts(): IndexedPost[] {
  const posts: IndexedPost[] = [];
  for (const name of readdirSync(MODULES).sort()) {
    const file = new URL(`${name}/README.md`, MODULES);
    if (posts.length === MOST) break;
    if (!existsSync(file)) continue;
    const text = readFileSync(file, 'utf8')
      .replace(/```[\s\S]*?```/g, ' ')
      .replace(/https?:\S+|[#*_`|<>[\]()=-]+/g, ' ');
    if (text.length >= SHORTEST) {
      posts.push({
        url: `https://foreign.example/${name}`,
        title: name,
        fullContent: text,
        section: '',
        authors: [],
        tags: [],
        pubDate: null,
        listed: true,
      });
    }
  }
  return posts;
}
