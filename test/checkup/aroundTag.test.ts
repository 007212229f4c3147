// Pages of sites with consent managers, optimizers and themes that have an opinion on addresses, and what is said of
// them.
import { expect, test } from 'vitest';
import { checkPage } from '../../server/checkup/checkPage.ts';
import { readPage } from '../../server/posts/readPage/readPage.ts';

const PAGE = 'https://paper.example/story';
const TAG = '<script async src="https://stats.example/afterword.js" data-site="paper.example"></script>';
const ARTICLE =
  '<script type="application/ld+json">{ "@type": "NewsArticle", "url": "https://paper.example/story" }</script>';

function look(html: string) {
  const record = readPage({ url: PAGE, html }, ({ hostname }) => hostname === 'paper.example');
  return checkPage(
    { fetched: PAGE, record },
    { site: 'paper.example', knows: (site) => site === 'paper.example', server: 'https://stats.example' },
  );
}

test.each([
  [
    'leaves its tag to a consent manager',
    TAG.replace('async', 'type="text/plain" data-category="statistics"'),
    'tag',
    'warning',
    '(type="text/plain"): there are no lists and no views until',
  ],
  [
    'leaves its tag to an optimizer, which has its address',
    TAG.replace('async src', 'data-rocket-src'),
    'tag',
    'warning',
    '(data-rocket-src)',
  ],
  ['has a tag for old browsers', TAG.replace('async', 'nomodule'), 'tag', 'warning', '(nomodule)'],
  [
    'has a tag that waits, and then one that runs',
    TAG.replace('async', 'type="text/plain"') + TAG,
    'tag',
    'ok',
    'Loads the widget',
  ],
  [
    'loads the widget for another site, too',
    TAG + TAG.replace('paper', 'other'),
    'tag',
    'warning',
    'afterword.js for paper.example, and https://stats.example/afterword.js for other.example',
  ],
  ['loads the widget twice alike', TAG + TAG, 'tag', 'ok', 'Loads the widget'],
  [
    'has an address for its site',
    TAG.replace('"paper.example"', '"https://www.paper.example/"'),
    'tag',
    'problem',
    'Write data-site="paper.example".',
  ],
  [
    'has its site in typographic quotes',
    TAG.replace('"paper.example"', '“paper.example”'),
    'tag',
    'problem',
    'Write data-site="paper.example".',
  ],
  ['writes our file with a capital', TAG.replace('afterword.js', 'Afterword.js'), 'tag', 'problem', 'does not load'],
  [
    'trusts scripts by their nonces alone',
    `<meta http-equiv="Content-Security-Policy" content="script-src 'nonce-x' 'strict-dynamic'">${TAG}`,
    'security policy',
    'problem',
    'refuses our script. Give the tag the nonce of the page',
  ],
  [
    'names the front page in its link, and itself in its metadata',
    `${TAG}<link rel="canonical" href="https://paper.example/">${ARTICLE}`,
    'canonical URL',
    'problem',
    'its views count there',
  ],
  [
    'names a page of another site',
    `${TAG}<link rel="canonical" href="https://other.example/story">`,
    'canonical URL',
    'problem',
    'which is no address of this site: its views are not counted. ',
  ],
  [
    'names a page of another site',
    `${TAG}<link rel="canonical" href="https://other.example/story">`,
    'canonical URL',
    'problem',
    'or add that host: afterword site change <site-id> --domain other.example',
  ],
])('a page that %s is reported', (_, html, about, state, words) => {
  const found = look(html).filter((finding) => finding.about === about);
  expect(found.map((finding) => finding.state)).toContain(state);
  expect(found.map(({ says, remedy }) => `${says} ${remedy}`).join(' ')).toContain(words);
});
