// Pages with one thing wrong each, and what is said of it.
import { describe, expect, test } from 'vitest';
import { checkPage } from '../../server/checkup/checkPage.ts';
import { readPage } from '../../server/posts/readPage/readPage.ts';

const URL_OF_PAGE = 'https://paper.example/story';
const TAG = '<script async src="https://stats.example/afterword.js" data-site="paper.example"></script>';
const SLOT = '<div data-afterword="related" data-limit="4" data-id="7"></div>';
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
  const text = `<p>${'Words of the story. '.repeat(80)}</p>`;
  expect(look(TAG + text + SLOT + CANONICAL + withArticle()).map(({ about, state }) => `${about}: ${state}`)).toEqual([
    'tag: ok',
    'lists: ok',
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
  ['loads it by http', TAG.replace('https:', 'http:'), 'tag', 'problem', 'https://stats.example/afterword.js'],
  [
    'pins what changes',
    TAG.replace('data-site', 'integrity="sha384-x" data-site'),
    'tag',
    'warning',
    'file of one version',
  ],
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
    'marks the script of an older installation, which has no site in its path',
    '<script data-parsely-site="paper.example" src="https://stats.example/p.js"></script>',
    'tag',
    'ok',
    'Loads the widget for paper.example.',
  ],
  [
    'names the site of an older installation in a script',
    '<script>PARSELY = { apikey: "paper.example" }</script><script src="https://stats.example/p.js"></script>',
    'tag',
    'ok',
    'PARSELY.apikey',
  ],
  ['loads a p.js of another', '<script src="https://other.example/p.js"></script>', 'tag', 'problem', 'does not load'],
  [
    'names the site in the address of the one file',
    '<script async src="https://stats.example/afterword.one.js?site=paper.example"></script>',
    'tag',
    'ok',
    'Loads the widget for paper.example.',
  ],
  [
    'names the site in the address of the loader, which takes attributes alone',
    '<script async src="https://stats.example/afterword.js?site=paper.example"></script>',
    'tag',
    'problem',
    'Add data-site',
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
])('a page that %s is reported', (_, html, about, state, words) => {
  const found = look(html).filter((finding) => finding.about === about);
  expect(found.map((finding) => finding.state)).toContain(state);
  expect(found.map(({ says, remedy }) => `${says} ${remedy}`).join(' ')).toContain(words);
});

test.each([
  ['', '<div data-afterword="related"></div>'],
  ['<div data-afterword="relatd"></div>', 'It takes related, top.'],
  ['<div data-afterword="top" data-layout="gird"></div>', 'data-layout="gird". It takes list, grid, row, compact.'],
  ['<div data-afterword="top" data-layuot="grid"></div>', 'data-layuot. Was data-layout meant?'],
  ['<div data-afterword="related" data-pub-date-start="30d"></div>', 'Was data-pub_date_start meant?'],
  ['<div data-afterword="top" data-limit="30"></div>', 'at most 25'],
  ['<div data-afterword="top" data-days="99"></div>', 'at most 31'],
  ['<div data-afterword="top" data-image="16/9"></div>', 'such as 1.5'],
  ['<div data-afterword="top" data-lazy="on"></div>', 'It takes off.'],
  ['<div data-afterword="related" data-exclude="Opinion"></div>', 'tags:sports'],
  [SLOT + TAG.replace('data-site', 'data-server="stats.example/" data-site'), 'It takes an http or https URL'],
  [SLOT + TAG.replace('data-site', 'data-server="https://stats.example/tools" data-site'), 'a slash at its end'],
  ['<div data-afterword></div>', 'has data-afterword without a value. It takes related, top.'],
  ['<div data-afterword="related" data-repeat></div>', 'has data-repeat without a value. It takes on.'],
  [SLOT + TAG.replace('data-site', 'data-consent data-site'), 'has data-consent without a value. It takes required.'],
  ['<afterword-related limit="3"></afterword-related>', 'Write data-limit.'],
  ['<ul data-afterword="related"></ul>', 'The slot "related" is a <ul>, in which browsers draw no list. Put the'],
  ['<form data-afterword="top"></form>', 'is a <form>'],
  [
    '<div data-afterword="top" data-image-src="/w={width}/{url}"></div>',
    'It takes an http or https URL with {url} in it.',
  ],
  ['<div data-afterword="top" data-image-src="https://cdn.example/w={width}/"></div>', 'with {url} in it.'],
  ['<afterword-relatd></afterword-relatd>', 'Write <afterword-related> or <afterword-top>.'],
  [SLOT + TAG.replace('data-site', 'data-heading-levle="2" data-site'), 'Was data-heading-level meant?'],
])('a slip in %j is reported', (slots, words) => {
  const html = (slots.includes(TAG.slice(0, 20)) ? '' : TAG) + slots + CANONICAL + withArticle();
  const found = look(html).filter(({ about }) => about === 'lists');
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ state: 'warning' });
  expect(`${found[0]!.says} ${found[0]!.remedy}`).toContain(words);
});

test('a long list of exclusions is no slip', () => {
  const exclude = Array.from({ length: 30 }, (_, index) => `section:${`${index} `.padEnd(33, 'x')}`).join('|');
  const slot = `<div data-afterword="related" data-exclude="${exclude}"></div>`;
  expect(look(TAG + slot).filter(({ about }) => about === 'lists')).toMatchObject([{ state: 'ok' }]);
});

test('attributes of the page’s own, and every attribute of ours, are no slips', () => {
  const all =
    'data-limit="3" data-layout="row" data-heading="" data-heading-level="3" data-label="x" data-meta="author date" ' +
    'data-image="off" data-fallback="/x.png" data-section="A" data-author="B" data-tag="C" data-days="30" data-itm="a=b" ' +
    'data-url="https://paper.example/x" data-shadow="off" data-lazy="off" data-transport="jsonp" data-block-id="7"';
  const related = 'data-sort="pub_date" data-exclude="section:A|tags:b" data-pub_date_start="30d" data-by="url"';
  const slots = `<div data-afterword="top" data-type="videos" data-channel="amp" ${all}></div><afterword-related id="x" ${all} ${related}></afterword-related>`;
  const tag = TAG.replace('data-site', 'data-consent="required" data-track="pageview share" data-debug="1" data-site');
  const found = look(tag + slots).filter(({ about }) => about === 'lists');
  expect(found).toEqual([{ about: 'lists', state: 'ok', says: 'top, related.' }]);
});

describe('the first visit', () => {
  const early = (html: string) => look(html + CANONICAL + withArticle()).filter(({ about }) => about === 'first visit');
  const text = `<p>${'Words of the story. '.repeat(80)}</p>`;

  test.each([
    ['a list at the top of the page', TAG + SLOT],
    ['a list in a sidebar, late in the HTML', `${TAG}${text}<aside>${SLOT}</aside>`],
    [
      'a list in a sidebar that is in a box of its own',
      `<div>${TAG}<main>${text}</main><div><aside>${SLOT}</aside></div></div>`,
    ],
    ['room for something else', `<style>.card { min-height: 20em }</style>${TAG}${SLOT}`],
    [
      'a list below one that came with the page and its style',
      `${TAG}<div data-afterword="top"><template shadowrootmode="open"><style>i { margin: var(--afterword-gap); height: 6em }</style><nav part="nav top-list"></nav></template></div>${SLOT}`,
    ],
    ['a tag that is deferred', TAG.replace('async', 'defer') + SLOT],
    ['a tag that is a module', TAG.replace('async', 'type="module"') + SLOT],
  ])('reports %s', (_, html) => {
    expect(early(html)).toMatchObject([{ state: 'warning', says: expect.stringContaining('(related)') }]);
  });

  test.each([
    ['after the text', TAG + text + SLOT],
    [
      'in an aside beside other lists after the text',
      `${TAG}<main>${text}<div><div>${SLOT}</div><aside>${SLOT}</aside></div></main>`,
    ],
    ['in an aside within the text of an article', `${TAG}<article>${text}<aside>${SLOT}</aside></article>`],
    ['in the footer', `${TAG}<main>${text}</main><footer>${SLOT}</footer>`],
    [
      'below a style element that makes room',
      `<style>[data-afterword="related"]{min-height:20em}</style>${TAG}${SLOT}`,
    ],
    ['with a height of its own', TAG + SLOT.replace('<div', '<div style="min-height:20em"')],
    [
      'that came with the page',
      `${TAG}<div data-afterword="top"><template shadowrootmode="open"><nav part="nav top-list"></nav></template></div>`,
    ],
    ['below a tag that blocks the parser', TAG.replace('async', '') + SLOT],
    ['on a page without the tag', SLOT],
  ])('finds nothing in a list %s', (_, html) => {
    expect(early(html)).toEqual([]);
  });
});

test('an older installation has places of its own for lists', () => {
  const found = look('<script src="https://stats.example/keys/paper.example/p.js"></script>');
  expect(found.filter(({ about }) => about === 'lists')).toEqual([]);
});

test('what default-src forbids is allowed by a directive of its own', () => {
  const found = look(TAG, ["default-src 'none'"]).filter(({ about }) => about === 'security policy');
  expect(found.map(({ remedy }) => remedy)).toEqual([
    'Give it a script-src of its own: what default-src allows, and https://stats.example. Or give the tag the nonce of the page.',
    'Give it a connect-src of its own: what default-src allows, and https://stats.example.',
    'Give it an img-src of its own: what default-src allows, and https://stats.example. Or run the server with --thumbnails off.',
  ]);
});

test('a policy that allows the script and refuses connections is a warning', () => {
  const found = look(TAG, ["script-src stats.example; connect-src 'self'"]);
  expect(found.find(({ about }) => about === 'security policy')).toMatchObject({
    state: 'warning',
    says: 'Its connect-src refuses connections to this server: lists come as JSON-P, and views are reported by pictures.',
  });
});

test('a policy that refuses connections and pictures is a problem, as no view is counted', () => {
  const found = look(TAG, ["default-src 'self'; script-src 'self' stats.example"]);
  const [connections, pictures] = found.filter(({ about }) => about === 'security policy');
  expect(connections).toMatchObject({
    state: 'problem',
    says:
      'Its default-src refuses connections to this server, and its default-src the pictures that would report instead: ' +
      'no view is counted.',
  });
  expect(pictures).toMatchObject({ state: 'warning', says: expect.stringContaining('no thumbnails') });
});

test('a policy that refuses pictures of this server is a warning, as thumbnails would not be shown', () => {
  const allowing = 'script-src stats.example; connect-src stats.example';
  const found = look(TAG, [`${allowing}; img-src https://cdn.paper.example`]);
  expect(found.find(({ about }) => about === 'security policy')).toMatchObject({
    state: 'warning',
    says: 'Its img-src refuses pictures of this server: lists show no thumbnails.',
    remedy: 'Add https://stats.example to img-src. Or run the server with --thumbnails off.',
  });
  expect(look(TAG, [`${allowing}; img-src https:`]).find(({ about }) => about === 'security policy')?.state).toBe('ok');
});

const OLDER = '<script src="https://stats.example/keys/paper.example/p.js"></script>';
const CALLS =
  '<script>PARSELY = { onReady() { PARSELY.updateDefaults({ data: {} }); window.PARSELY.beacon.trackPageView(); } };' +
  'PARSELY.onload.call(PARSELY); PARSELY.config.parsely_site_uuid.replace("a", "b"); PARSELY?.video?.trackPlay?.("v");' +
  'PARSELY.ownThing = function () {}; PARSELY.ownThing();';

test.each([
  ['calls what p.js has', OLDER + CALLS, 'ok', ['p.js has all', 'PARSELY.updateDefaults', 'PARSELY.video.trackPlay']],
  [
    'calls what p.js does not have',
    `${OLDER + CALLS} PARSELY.engagedTime.sendHeartbeat (3); PARSELY.slots.reset()`,
    'warning',
    ['calls PARSELY.engagedTime.sendHeartbeat, PARSELY.slots.reset, which p.js does not have', 'Take the call out'],
  ],
  [
    'calls what does nothing',
    `${OLDER}<script>PARSELY.video.addStrategy({})`,
    'warning',
    ['PARSELY.video.addStrategy, which does nothing', 'PARSELY.video.trackPlay'],
  ],
  [
    'still loads the tracker it is to replace',
    `<script src="https://cdn.parsely.com/keys/paper.example/p.js"></script><script>PARSELY.slots.reset()`,
    'warning',
    ['PARSELY.slots.reset'],
  ],
  ['loads p.js by a script', '<script>PARSELY.beacon.trackPageView()', 'ok', ['PARSELY.beacon.trackPageView']],
  ['has the tag alone', `${TAG}<script>PARSELY.beacon.trackPageView()`, 'warning', ['loads no script that has it']],
])('of a page that %s, the check says so', (_, html, state, words) => {
  const found = look(`${html}</script>`).filter(({ about }) => about === 'older installation');
  expect(found.map((finding) => finding.state)).toEqual([state]);
  for (const word of words) expect(`${found[0]!.says} ${found[0]!.remedy ?? ''}`).toContain(word);
  expect(found[0]!.says).not.toMatch(/ownThing|onload\.call/);
});

test('a page without such calls has no finding on older installations, and one of a million calls has fifty', () => {
  expect(look(TAG).filter(({ about }) => about === 'older installation')).toEqual([]);
  const many = Array.from({ length: 1e5 }, (_, n) => `PARSELY.f${n}(${'PARSELY.'.repeat(3)}`).join('\n');
  const [found] = look(`${OLDER}<script>${many}</script>`).filter(({ about }) => about === 'older installation');
  expect(found!.says.match(/PARSELY\.f\d+/g)).toHaveLength(50);
});
