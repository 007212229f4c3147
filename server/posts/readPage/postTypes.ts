// Which kinds of page are posts.
import type { PageType } from '../post.ts';

/** schema.org types of posts; every other type is a page that never enters a list. */
const POST_TYPES = new Set([
  'NewsArticle',
  'Article',
  'TechArticle',
  'BlogPosting',
  'LiveBlogPosting',
  'Report',
  'Review',
  'CreativeWork',
  'OpinionNewsArticle',
  'AnalysisNewsArticle',
  'BackgroundNewsArticle',
  'ReviewNewsArticle',
  'ReportageNewsArticle',
  'Recipe',
  'AdvertiserContentArticle',
  'MedicalWebPage',
  'PodcastEpisode',
]);

/** Names of types without their vocabulary: `https://schema.org/Article` and `schema:Article` are `Article`. */
export function typeNames(value: unknown): string[] {
  const list = Array.isArray(value) ? value.slice(0, 20) : [value];
  return list.flatMap((type) => (typeof type === 'string' ? [type.trim().replace(/^.*[/#:]/, '')] : []));
}

export function isPostType(value: unknown): boolean {
  return typeNames(value).some((name) => POST_TYPES.has(name));
}

/** Types of the older tags: `post`, or the name of a page that is none. */
export function parselyType(value: string | undefined): PageType | undefined {
  switch (value?.trim().toLowerCase()) {
    case undefined:
    case '':
      return undefined;
    case 'post':
      return 'post';
    case 'index':
    case 'frontpage':
    case 'sectionpage':
      return 'index';
    default:
      return isPostType(value) ? 'post' : 'other';
  }
}
