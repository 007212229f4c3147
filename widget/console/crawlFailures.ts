// Why a page was not read, in words.

const FAILURES: Readonly<Record<string, string>> = {
  gone: 'the page is gone.',
  'bad-status': 'its server answered with an error.',
  'not-html': 'it is no page of HTML.',
  robots: 'its robots.txt forbids it.',
  'too-slow': 'it took longer than ten seconds.',
  unreachable: 'its server did not answer.',
  'unknown-host': 'its host has no address.',
  'private-address': 'its host is on a private network.',
  'foreign-host': 'it leads to a host that is not of the site.',
};

export const failureOf = (failure: string): string => FAILURES[failure] ?? `${failure.replaceAll('-', ' ')}.`;
