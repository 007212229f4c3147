// Pages with one thing wrong each, and what is said of it.
import { expect, test } from 'vitest';
import { checkPage } from '../../server/checkup/checkPage.ts';
import { readPage } from '../../server/posts/readPage/readPage.ts';

const URL_OF_PAGE = 'https://paper.example/story';
const TAG = '<script async src="https://stats.example/afterword.js" data-site="paper.example"></script>';
const CANONICAL = `<link rel="canonical" href="${URL_OF_PAGE}">`;
const ARTICLE = {
  '@context': 'https://schema.org',
  '@type': 'NewsArticle',
  headline: 'A headline',
  url: URL_OF_PAGE,
  datePublished: '2026-02-03T04:05:06Z',
  image: 'https://paper.example/a.jpg',
  articleSection: 'Science',
  creator: ['Ada'],
};
const withArticle = (change: object = {}) =>
  `<script type="application/ld+json">${JSON.stringify({ ...ARTICLE, ...change })}</script>`;

function look(html: string, policies: string[] = []) {
  const record = readPage({ url: URL_OF_PAGE, html }, ({ hostname }) => hostname === 'paper.example');
  return checkPage(
    { fetched: URL_OF_PAGE, record: { ...record, policies: [...policies, ...record.policies] } },
    { site: 'paper.example', knows: (site) => site === 'paper.example', server: 'https://stats.example' },
  );
}

test('nothing is wrong with a page that has everything', () => {
  expect(look(TAG + CANONICAL + withArticle()).map(({ about, state }) => `${about}: ${state}`)).toEqual([
    'tag: ok',
    'security policy: ok',
    'canonical URL: ok',
    'metadata: ok',
  ]);
});

test.each([
  ['has no tag', CANONICAL + withArticle(), 'tag', 'problem', 'does not load'],
  ['has the tag in a comment only', `<!-- ${TAG} -->${withArticle()}`, 'tag', 'problem', 'does not load'],
  ['names no site', TAG.replace('data-site', 'data-x'), 'tag', 'problem', 'data-site="paper.example"'],
  ['names an unknown site', TAG.replace('paper', 'other'), 'tag', 'problem', 'site add other.example'],
  ['loads from elsewhere', TAG.replace('stats.', 'cdn.'), 'tag', 'warning', 'https://cdn.example'],
  [
    'still loads from parsely.com',
    '<script src="https://cdn.parsely.com/keys/paper.example/p.js"></script>',
    'tag',
    'problem',
    'Change the host',
  ],
  [
    'has an older installation with its host changed',
    '<script src="https://stats.example/keys/paper.example/p.js"></script>',
    'tag',
    'ok',
    'paper.example',
  ],
  [
    'forbids our script in its own markup',
    `<meta http-equiv="Content-Security-Policy" content="script-src 'self'">${TAG}`,
    'security policy',
    'problem',
    'Add https://stats.example to script-src',
  ],
  ['has no canonical URL', TAG, 'canonical URL', 'warning', URL_OF_PAGE],
  ['is no post', TAG, 'metadata', 'warning', 'not as a post'],
  ['has no date', TAG + withArticle({ datePublished: undefined }), 'metadata', 'warning', 'no publication date'],
  ['has no picture', TAG + withArticle({ image: undefined }), 'metadata', 'warning', 'no picture'],
])('a page that %s is told so', (_, html, about, state, words) => {
  const found = look(html).filter((finding) => finding.about === about);
  expect(found.map((finding) => finding.state)).toContain(state);
  expect(found.map(({ says, todo }) => `${says} ${todo}`).join(' ')).toContain(words);
});

test('a policy that allows the script and refuses connections is a warning', () => {
  const found = look(TAG, ["script-src stats.example; connect-src 'self'"]);
  expect(found.find(({ about }) => about === 'security policy')).toMatchObject({ state: 'warning' });
});
