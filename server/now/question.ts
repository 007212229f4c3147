// Which traffic a look at now is about, and the windows of time that it counts in.
import { MINUTE } from '../durations.ts';
import type { SiteId } from '../sites/site.ts';
import type { Period } from '../traffic/period.ts';
import type { PostFilters, Scope } from '../traffic/scope.ts';

export interface NowQuestion {
  site: SiteId;
  /** Time zone of the site. */
  zone: string;
  /** Days that events of the site are kept for. undefined: as long as the tables keep them. */
  keepEvents: number | undefined;
  /** Posts in any one of them. Empty: all posts. */
  sections: readonly string[];
  /** Posts that are listed. */
  posts: number;
}

/** The question with what decides which traffic counts. */
export interface NowScope extends NowQuestion {
  /** Epoch milliseconds. */
  now: number;
  excluded: ReadonlySet<string>;
}

/** Traffic of posts within a period. */
export function postScope(nowScope: NowScope, period: Period): Scope & { posts: PostFilters } {
  const { site, zone, excluded, sections, now } = nowScope;
  return { site, zone, excluded, period, posts: { sections, published: { start: undefined, end: now } } };
}

/** As lists that are not made of posts count: without a section, of all pages. */
export function pageScope(nowScope: NowScope, period: Period): Scope {
  const { posts, ...pages } = postScope(nowScope, period);
  return nowScope.sections.length > 0 ? { ...pages, posts } : pages;
}

/** So many minutes up to now. */
export const lastMinutes = (now: number, minutes: number): Period => ({ start: now - minutes * MINUTE, end: now - 1 });

/** Windows of one length, one after the other. */
export const windowsFrom = (start: number, length: number, count: number): Period[] =>
  Array.from({ length: count }, (_, at) => ({ start: start + at * length, end: start + (at + 1) * length - 1 }));
