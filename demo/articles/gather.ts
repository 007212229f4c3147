// Makes articles.jsonl.gz from a crawl of the 18F blog: `tsx demo/articles/gather.ts posts.jsonl`.
// Run once by a developer; the demo only reads what it wrote.
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import bylines from './bylines.json' with { type: 'json' };
import { sectionFor } from './sections.ts';

/** One line of the crawl. */
interface Source {
  id: string;
  title: string;
  excerpt: string;
  body_markdown: string;
  full_content: string;
  authors: string[];
  tags: string[];
  pub_date: string;
}

/** Announcements of a day long past read oddly in a paper of today. */
const STALE =
  /webinar|join us|now hiring|we.re hiring|open positions?|job|demo day|slides from|save the date|register|anniversary|year of|by the numbers|valentine|emoji|looking for new|hello, world|thankful|halloween|one year in|solicitation|for public comment|say hello|get your pass|rsvp|request for (?:information|quot)/i;
/** Embedded posts of social networks, footnotes and scripts did not survive the crawl whole. */
const BROKEN = /\[\^|\$\(document|&mdash; [^\n]*\(@|pic\.twitter|\*\*\\$|\]\(\)/m;
const names: Record<string, string> = bylines;

const sources = readFileSync(process.argv[2] ?? 'posts.jsonl', 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Source)
  .filter((source) => source.full_content.length >= 1800 && !STALE.test(source.title) && !BROKEN.test(source.body_markdown))
  .sort((a, b) => a.pub_date.localeCompare(b.pub_date) || a.id.localeCompare(b.id));

const ENTITIES: Record<string, string> = {
  '&mdash;': '—',
  '&nbsp;': ' ',
  '&ldquo;': '“',
  '&rdquo;': '”',
  '&lt;': '<',
  '&gt;': '>',
};
const taken = new Map<string, number>();

const lines = sources.map((source) =>
  JSON.stringify({
    slug: slugFor(source.id),
    title: oneLine(source.title.replace(/<[^>]+>/g, '')),
    excerpt: excerptOf(source),
    section: sectionFor(source.tags),
    authors: (source.authors.length > 0 ? source.authors : ['18F']).map((id) => names[id] ?? unknownAuthor(id)),
    tags: source.tags,
    body: tidy(source.body_markdown),
  }),
);
const packed = gzipSync(`${lines.join('\n')}\n`, { level: 9 });
writeFileSync(new URL('articles.jsonl.gz', import.meta.url), packed);
console.log(`${lines.length} articles, ${packed.length} bytes`);

/** The id without its date; the second article of the same name gets a `-2`. */
function slugFor(id: string): string {
  const slug = id.replace(/^\d{4}-\d{2}-\d{2}-/, '').replace(/[^a-z0-9]+/gi, '-').toLowerCase();
  const count = (taken.get(slug) ?? 0) + 1;
  taken.set(slug, count);
  return count === 1 ? slug : `${slug}-${count}`;
}

function unknownAuthor(id: string): never {
  throw new Error(`No name for author "${id}" in bylines.json`);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The editors' own summary, else (or where the crawl cut it short) the first sentences of the text, without marks of Markdown. */
function excerptOf(source: Source): string {
  const summary = oneLine(withoutMarks(source.excerpt));
  const plain = /[.!?…”"]$/.test(summary) ? summary : oneLine(withoutMarks(source.full_content.slice(0, 400)));
  if (plain.length <= 260) return plain;
  const sentences = plain.slice(0, 260).match(/^.*[.!?](?=\s|$)/);
  return sentences ? sentences[0] : `${plain.slice(0, 240).replace(/\s+\S*$/, '')}…`;
}

function withoutMarks(text: string): string {
  return text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`]{1,3}(\S[^*_`]*)[*_`]{1,3}/g, '$1')
    .replace(/\(link removed\)/g, '');
}

/** Drops traces of the crawl, and links to hosts that are gone (their text stays). */
function tidy(markdown: string): string {
  return markdown
    .replace(/ ?\(link removed\)/g, '')
    .replace(/\[\]\([^)]*\)/g, '')
    .replace(/&[a-z]+;/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\[([^\]]+)\]\(https?:\/\/[^)\s/]*\b18f\.(?:gsa\.)?gov[^)\s]*\)/g, '$1')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
