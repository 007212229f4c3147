// A tag whose file lies on another host than the server that its element names: a copy beside the page, or of a network.
import { expect, test } from 'vitest';
import { checkPage } from '../../server/checkup/checkPage.ts';
import { readPage } from '../../server/posts/readPage/readPage.ts';

const URL_OF_PAGE = 'https://paper.example/story';
const tagOf = (src: string, more = '') => `<script async src="${src}" data-site="paper.example" ${more}></script>`;
const COPY = tagOf('/vendor/afterword.js', 'data-server="https://stats.example/"');

function look(html: string, about: string) {
  const record = readPage({ url: URL_OF_PAGE, html }, () => true);
  const found = checkPage(
    { fetched: URL_OF_PAGE, record },
    { site: 'paper.example', knows: (site) => site === 'paper.example', server: 'https://stats.example' },
  );
  return found.filter((finding) => finding.about === about);
}

test.each([
  ['a copy that names this server', COPY, 'ok', 'Loads the widget for paper.example.'],
  [
    'this server’s own that names another',
    tagOf('https://stats.example/afterword.js', 'data-server="https://cdn.example/"'),
    'warning',
    'The tag loads from https://cdn.example, not from https://stats.example.',
  ],
  ['a copy that names none', tagOf('/vendor/afterword.js'), 'warning', 'The tag loads from https://paper.example,'],
  ...['stats.example:8080/', 'stats.example/', '//stats.example/'].map((written): [string, string, string, string] => [
    `this server’s own that names ${written}, with which the loader does not start`,
    tagOf('https://stats.example/afterword.js', `data-server="${written}"`),
    'problem',
    `is no web address, so the widget does not start: ${written}`,
  ]),
  [
    'this server’s own, with an attribute that is empty',
    tagOf('https://stats.example/afterword.js', 'data-server=""'),
    'ok',
    'Loads the widget',
  ],
])('of a tag the server that counts is looked at: %s', (_, tag, state, says) => {
  expect(look(tag, 'tag')).toMatchObject([{ state, says: expect.stringContaining(says) }]);
});

const policy = (sources: string) =>
  `<meta http-equiv="Content-Security-Policy" content="script-src ${sources}; connect-src *; img-src *">`;
test.each([
  ['a copy of the loader, and not what it loads', policy("'self'") + COPY, 'problem'],
  ['both', policy("'self' https://stats.example") + COPY, 'ok'],
  ['a copy of the one file, which loads nothing', policy("'self'") + COPY.replace('.js', '.one.js'), 'ok'],
  [
    'the loader alone, by its path',
    policy('stats.example/afterword.js') + tagOf('https://stats.example/afterword.js'),
    'problem',
  ],
])('a policy that allows %s', (_, html, state) => {
  const [finding] = look(html, 'security policy');
  expect(finding?.state).toBe(state);
  if (state === 'problem') expect(finding?.remedy).toContain('Add https://stats.example to script-src.');
});
