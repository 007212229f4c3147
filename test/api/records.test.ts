// What records say where clients were found to depend on it, over one site: shares, names in paths, dates, text with HTML entities, and
// views from all social networks.
import { Window } from 'happy-dom';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.parse('2040-03-20T15:30:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (name: string) => `https://paper.example/${name}`;

let room: Newsroom;

beforeAll(async () => {
  room = await openNewsroom({ now: NOW });
  const lab = { section: 'Technology Lab', authors: ['Ann'], tags: ['c++', 'big data'] };
  await room.write(at('lab'), { ...lab, title: 'Lab', pubDate: NOW - DAY + 456 });
  await room.write(at('plus'), {
    title: 'Plus',
    section: 'C+',
    authors: ['Bob', 'Ann'],
    tags: ['x', 'ada + bo'],
    pubDate: NOW - DAY,
  });
  await room.write(at('embargoed'), {
    title: 'E',
    section: 'Secret',
    authors: ['Eve'],
    tags: ['e'],
    pubDate: NOW + DAY,
  });
  await room.write(at('film'), { title: 'Film', pageType: 'video', pubDate: NOW + DAY });
  const share = (name: string, network: 'fb' | 'tw' | 'li' | 'pi', ago = HOUR) =>
    ({ url: at(name), action: 'share', network, time: NOW - ago }) as const;
  await room.happen(
    share('lab', 'fb'),
    share('lab', 'fb', 100 * DAY),
    share('plus', 'li'),
    share('embargoed', 'tw'),
    { url: at('lab'), time: NOW - HOUR, action: 'videostart', video: at('film') },
    ...['lab', 'plus', 'embargoed'].map((name) => ({ url: at(name), time: NOW - HOUR / 2 })),
  );
});
afterAll(() => room.close());

const postMetadata = async (metadata: object) => {
  const body = JSON.stringify({ apikey: room.site.id, secret: room.writeSecret, metadata });
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
  const response = await room.app.request('http://stats.example/v2/metadata/posts', init);
  expect(await response.json()).toEqual({ data: [], success: true });
};

describe('shares', () => {
  test.each([
    ['lab', { tw: 0, fb: 2, li: 0, pi: 0, total: 2 }],
    ['plus', { tw: 0, fb: 0, li: 1, pi: 0, total: 1 }],
    ['never-shared', { tw: 0, fb: 0, li: 0, pi: 0, total: 0 }],
  ])('of %s name all four networks, 0 where nothing was shared', async (name, counts) => {
    expect((await room.ask('/shares/post/detail', { url: at(name) })).data).toEqual([counts]);
  });

  const named = (kind: string, name: string, hits: number, shares: number) => ({
    [kind]: name,
    name,
    _hits: hits,
    metrics: { shares },
    _shares: shares,
  });

  test.each([
    ['authors', {}, [named('author', 'Ann', 2, 3), named('author', 'Bob', 1, 1)]],
    ['sections', {}, [named('section', 'Technology Lab', 1, 2), named('section', 'C+', 1, 1)]],
    [
      'tags',
      {},
      [
        named('tag', 'big data', 1, 2),
        named('tag', 'c++', 1, 2),
        named('tag', 'ada + bo', 1, 1),
        named('tag', 'x', 1, 1),
      ],
    ],
    ['sections', { days: '3' }, [named('section', 'C+', 1, 1), named('section', 'Technology Lab', 1, 1)]],
    ['authors', { limit: '1', page: '2' }, [named('author', 'Bob', 1, 1)]],
    ['authors', { pub_date_end: '2d' }, []],
  ])('rank %s %j as they rank posts', async (kind, params, records) => {
    const { data, meta } = await room.ask(`/shares/${kind}`, params as Record<string, string>);
    expect(data).toEqual(records);
    expect(meta).toEqual({ metrics: ['shares'], sort: 'shares' });
  });
});

describe('a name in a path', () => {
  const titles = async (path: string) => (await room.ask(path)).data.map(({ title }) => title);

  test.each([
    ['section/Technology+Lab', ['Lab']],
    ['section/Technology%20Lab', ['Lab']],
    ['section/C+', ['Plus']],
    ['section/C%2B', ['Plus']],
    ['tag/c++', ['Lab']],
    ['tag/big+data', ['Lab']],
    ['tag/big%2Bdata', ['Lab']],
    ['tag/ada+%2B+bo', ['Plus']],
    ['tag/ada%20+%20bo', ['Plus']],
    ['section/Nothing+here', []],
  ])('%s: a plus is a plus where a post has it, else a space', async (name, expected) => {
    expect(await titles(`/analytics/${name}/detail`)).toEqual(expected);
  });

  test.each(['detail', 'detail/', 'details/'])('with /%s behind it', async (end) => {
    const { data } = await room.ask(`/analytics/tag/ada+%2B+bo/${end}`);
    expect(data.map(({ title }) => title)).toEqual(['Plus']);
  });

  test.each(['shares', 'referrers/other'])('in /%s too', async (path) => {
    await room.happen({ url: at('lab'), referrerType: 'other', referrer: 'blog.example' });
    expect(await titles(`/${path}/section/Technology+Lab/detail`)).toEqual(['Lab']);
  });
});

test('a related post says its date in whole seconds, UTC', async () => {
  const { data } = await room.ask('/related', { url: at('plus') });
  expect(data.find(({ url }) => url === at('lab'))?.pub_date).toBe('2040-03-19T15:30:00Z');
});

test.each(['authors', 'sections', 'tags', 'videos'])('/analytics/%s lists nothing before its date', async (list) => {
  const before = (await room.ask(`/analytics/${list}`)).data.map(({ name, title }) => name ?? title);
  for (const name of ['Eve', 'Secret', 'e', 'Film']) expect(before).not.toContain(name);
  room.setNow(NOW + 2 * DAY);
  const after = (await room.ask(`/analytics/${list}`)).data.map(({ name, title }) => name ?? title);
  room.setNow(NOW);
  expect(['Eve', 'Secret', 'e', 'Film'].filter((name) => after.includes(name))).toHaveLength(1);
});

test('views from every social network are social referrals; four networks have a metric of their own', async () => {
  await room.write(at('social'), { title: 'Social', section: 'Networks' });
  // Whole days, from the roll-ups, and the hours of today, from events.
  const times = [NOW - HOUR / 4, NOW - 2 * DAY, NOW - 20 * DAY];
  const from = (referrer: string) =>
    times.map((time) => ({
      url: at('social'),
      time,
      referrerType: 'social' as const,
      referrer,
      segments: ['members'],
    }));
  await room.happen(...['facebook', 'reddit', 'instagram', 'bluesky', 'threads'].flatMap(from));
  const metricsOf = async (params: Record<string, string>) => {
    const { data } = await room.ask('/analytics/posts', { sort: 'social_referrals', section: 'Networks', ...params });
    return [data[0]?.metrics.social_referrals, data[0]?.metrics.fb_referrals];
  };
  expect(await metricsOf({ period_start: '1h' })).toEqual([5, 1]);
  expect(await metricsOf({ period_start: '30d' })).toEqual([15, 3]);
  expect(await metricsOf({ period_start: '30d', channel: 'website' })).toEqual([15, 3]);
  expect(await metricsOf({ period_start: '30d', channel: 'amp' })).toEqual([undefined, undefined]);
  expect(await metricsOf({ period_start: '30d', segment: 'members' })).toEqual([15, 3]);
  const { data } = await room.ask('/referrers/social/posts', { period_start: '30d' });
  expect(data).toMatchObject([{ title: 'Social', _hits: 15 }]);
  const byReferrer = (await room.ask('/analytics/referrers', { period_start: '30d', sort: 'social_referrals' })).data;
  expect(byReferrer.slice(0, 5).map(({ metrics }) => metrics.social_referrals)).toEqual([3, 3, 3, 3, 3]);
});

describe('conversions on pages that nothing is known of', () => {
  const ATTRIBUTIONS = ['last_touch', 'first_touch', 'linear', 'last_post_touched'];
  const thanks = at('account/thanks');
  const purchase = {
    action: 'conversion',
    visitor: '77',
    conversionType: 'purchase',
    conversionLabel: 'yearly',
  } as const;

  beforeAll(async () => {
    await room.happen(
      { url: at('lab'), visitor: '77', time: NOW - 3 * HOUR },
      { url: thanks, visitor: '77', time: NOW - 2 * HOUR },
      { ...purchase, url: thanks, time: NOW - 2 * HOUR + 1 },
      { ...purchase, url: at('embargoed'), visitor: '0', time: NOW - HOUR },
    );
  });

  const ask = async (params: Record<string, string>, path = '/conversions/url') => (await room.ask(path, params)).data;

  test.each(ATTRIBUTIONS)('%s: count', async (attribution_type) => {
    for (const path of ['/conversions/url', '/conversions/url/top']) {
      const data = await ask({ attribution_type }, path);
      expect(data.reduce((sum, { metrics }) => sum + metrics.conversions!, 0)).toBe(2);
    }
  });

  test('are rows of the page as an index page, with its URL as title', async () => {
    const [record] = await ask({ page_type: 'index', url: `${thanks}#top` });
    expect(record).toMatchObject({ title: thanks, url: thanks, link: thanks, section: '', authors: [], pub_date: '' });
    expect(record?.metrics).toEqual({ conversions: 1, converting_visitors: 1, conversion_rate: 1 });
    expect(await ask({ page_type: 'post', url: thanks })).toEqual([]);
  });

  test('say nothing of a post before its date but its URL', async () => {
    const [record] = await ask({ url: at('embargoed') });
    expect(record).toMatchObject({ title: at('embargoed'), section: '', authors: [] });
  });

  test('have further fields as clients of Parse.ly’s interface read them', async () => {
    const metric = { conversion_type: 'purchase', conversion_label: 'yearly', conversions: 1, converting_visitors: 1 };
    for (const path of ['/conversions/url', '/conversions/url/top']) {
      const [record] = await ask({ url: thanks }, path);
      expect(record?.conversion_metrics).toEqual([{ attribution_type: 'last_touch', ...metric }]);
    }
  });

  test.each([
    [{ section: 'Technology Lab' }, ['Lab']],
    [{ section: 'Nope' }, []],
    [{ author: 'Ann' }, ['Lab']],
    [{ author: ['Ann', 'Bob'] }, []],
    [{ tag: ['c++', 'big data'] }, ['Lab']],
    [{ pub_date_start: '2d' }, ['Lab']],
    [{ pub_date_start: '1h' }, []],
    [{ pub_date_end: '3d', page_type: 'post' }, []],
  ])('narrowed by %j', async (params, titles) => {
    for (const path of ['/conversions/url', '/conversions/url/top']) {
      const { data } = await room.ask(path, { attribution_type: 'first_touch', ...(params as Record<string, string>) });
      expect(data.map(({ title }) => title)).toEqual(titles);
    }
  });
});

describe('text with HTML entities', () => {
  const WRITTEN = {
    title: 'Don&#8217;t panic: the mayor&#8217;s &#8220;bridge&#8221; costs $5 &#038; more&#8230;',
    section: 'Politics &amp; Society',
    authors: ['Ren&eacute;e O&#039;Neil'],
    tags: ['r&amp;b', 'AT&T'],
  };
  const READ = {
    title: 'Don’t panic: the mayor’s “bridge” costs $5 & more…',
    section: 'Politics & Society',
    authors: ["Renée O'Neil"],
    tags: ['r&b', 'AT&T'],
  };
  const SCRIPT = '&lt;script&gt;alert(1)&lt;/script&gt;';

  beforeAll(async () => {
    await postMetadata({ canonical_url: at('escaped'), ...WRITTEN });
    await postMetadata({ canonical_url: at('twice'), title: 'How to write &amp;amp; in HTML', section: 'Escapes' });
    await postMetadata({ canonical_url: at('script'), title: SCRIPT, section: SCRIPT });
    await room.happen(
      ...['escaped', 'twice', 'script', 'script'].map((name) => ({ url: at(name), channel: 'amp' as const })),
    );
  });

  test('is decoded as it is posted', async () => {
    const { data } = await room.ask('/analytics/post/detail', { url: at('escaped') });
    expect(data).toMatchObject([READ]);
  });

  test('is found by what it means', async () => {
    const filters: Record<string, string>[] = [{ section: READ.section }, { tag: 'r&b' }, { author: READ.authors[0]! }];
    for (const params of filters)
      expect((await room.ask('/analytics/posts', params)).data.map(({ url }) => url)).toEqual([at('escaped')]);
  });

  test('is decoded once, never twice', async () => {
    const { data } = await room.ask('/analytics/post/detail', { url: at('twice') });
    expect(data[0]?.title).toBe('How to write &amp; in HTML');
  });

  test('that becomes a tag is text in JSON, in a script and in HTML', async () => {
    const text = '<script>alert(1)</script>';
    expect((await room.ask('/top/posts', { channel: 'amp' })).data[0]?.title).toBe(text);
    const get = async (path: string) =>
      await (
        await room.app.request(`http://stats.example/v2${path}?apikey=${room.site.id}&channel=amp&callback=show`)
      ).text();
    expect(await get('/top/posts')).not.toContain('</script>');
    const html = await get('/fragment/top');
    const window = new Window();
    window.document.body.innerHTML = html.replaceAll(/<\/?template[^>]*>/g, '');
    expect(html).not.toContain(text);
    expect(window.document.body.textContent).toContain(text);
    expect(window.document.querySelectorAll('script')).toHaveLength(0);
  });
});
