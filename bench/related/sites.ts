// The article sets the ranking is measured on: posts of a site, and which of them its editors linked to one another.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type ArticleSet, parseArticleSet } from '../../server/evaluation/articleSet.ts';

export const SITES = ['18f', 'digitalgov', 'rust'] as const;
/** Those that big sites are woven from: figures of speed are compared with earlier ones. */
export const WOVEN_SITES = ['18f', 'digitalgov'] as const satisfies readonly (typeof SITES)[number][];
export type SiteName = (typeof SITES)[number];

export interface NamedSet extends ArticleSet {
  name: string;
}

export function readSite(name: SiteName): NamedSet {
  const read = (file: string) =>
    gunzipSync(readFileSync(new URL(`../articles/${name}/${file}.jsonl.gz`, import.meta.url))).toString();
  return { name, ...parseArticleSet(read('posts'), read('related')) };
}
