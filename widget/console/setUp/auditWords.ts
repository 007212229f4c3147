// What the view says of posts that need care, and what to do about each fault.
import type { NeededField } from '../../../server/contract/contentAudit.ts';
import { failureOf } from '../crawlFailures.ts';
import type { Remedy } from './words.ts';

export const LACKING: Readonly<Record<NeededField, Remedy>> = {
  image_url: {
    name: 'Without a picture',
    says: 'Lists show its first letter instead. Name a picture of the article: og:image, or image in its JSON-LD.',
  },
  pub_date: {
    name: 'Without a date',
    says: 'It counts as old, has no curve since publication, and filters by date leave it out. Name it: datePublished in its JSON-LD, or article:published_time.',
  },
  section: {
    name: 'Without a section',
    says: 'No list and no figure of a section has it. Name one: articleSection in its JSON-LD, or article:section.',
  },
};

export const orphansOf = (days: number): Remedy => ({
  name: 'Orphans: nothing leads to them',
  says: `In ${days} days no reader has seen them in a list, or opened them from another page of the site. Link to them, or put a related list below posts on the same subject.`,
});

export const GONE: Remedy = {
  name: 'Gone: lists leave them out',
  says: 'Their pages answer 404 or 410, or are no articles any more. Where readers find them, let AfterwordBot in and have them read again.',
};

const REMEDIES: Readonly<Record<string, string>> = {
  gone: 'If it is there again, have it read again; if not, nothing is to be done.',
  'bad-status':
    'Open it and see your server’s log: a firewall that should let the crawler in knows it as AfterwordBot.',
  'not-html': 'Nothing is to be done where it is a file. Otherwise its Content-Type is wrong.',
  robots: 'Allow AfterwordBot in robots.txt, or send the posts by POST /v2/metadata/posts.',
  'too-slow': 'The crawler waits for ten seconds. It tries again by itself.',
  unreachable: 'It tries again by itself. If it lasts, a firewall may refuse the server of Afterword.',
  'unknown-host': 'It tries again by itself. If it lasts, the name of the host is wrong.',
  'private-address': 'Pages of this machine or of a private network are read with serve --allow-private-crawl alone.',
  'foreign-host': 'If that host is yours, add it: afterword site change SITE --domain HOST.',
};

/** @param site Its Site ID, for the commands. */
export function unreadOf(failure: string, site: string): Remedy {
  const why = failureOf(failure).replace(/\.$/, '');
  const says = REMEDIES[failure] ?? 'Have it read again once its cause is removed.';
  return { name: why.slice(0, 1).toUpperCase() + why.slice(1), says: says.replace('SITE', site) };
}
