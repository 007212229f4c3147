// What to do about a page that could not be read, in one sentence for the caller.
import type { Failure } from '../crawl/failure.ts';

const ANOTHER = 'Give the address of an article.';

const REMEDIES: Record<Failure, string> = {
  'bad-url': 'Give the full address of an article.',
  'foreign-host': 'Give a page of this site, or add its host: afterword site change <site-id> --domain <host>.',
  'private-address': 'For development only, start the server with --allow-private-crawl.',
  'unknown-host': 'Is the name of the host spelt right, and known to this server?',
  unreachable: 'Is it up, and reachable from this server?',
  'too-slow': 'Is it up? Try again once it answers within ten seconds.',
  'too-many-redirects': 'Give the address it ends at, or mend its redirects.',
  'bad-status': 'Give the address of an article that exists, and let this server in.',
  gone: 'Give the address of an article that exists.',
  'not-html': ANOTHER,
  'bad-encoding': 'Have it sent in a coding that its Content-Encoding names: gzip, br or deflate.',
  robots: 'Allow AfterwordBot in its robots.txt.',
  unreadable: ANOTHER,
};

export const remedyFor = (failure: Failure): string => REMEDIES[failure];
