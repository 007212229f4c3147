// Which page an event counts for: the one its metadata names, or the publisher's behind the address of an AMP cache.
import { describe, expect, test } from 'vitest';
import { publisherPage } from '../../server/ingest/ampCache.ts';
import { newPage, newsroom } from './newsroom.ts';

const room = newsroom();
const { post, pixel, stored, count } = room;

const CACHE = 'https://news-example.cdn.ampproject.org';
/** A page of the cache, whose own address is like no other's. */
const newStory = () => new URL(newPage()).pathname.slice(1);
const ampView = (url: string, metadata?: Record<string, unknown>) => ({
  idsite: 'news.example',
  action: 'pageview',
  url,
  ampid: 'amp-reader-1',
  ...(metadata && { metadata: JSON.stringify(metadata) }),
});

describe('an AMP page', () => {
  test.each(['c/s', 'v/s'])('read from the cache (%s) counts for the page its template names', async (kind) => {
    const canonical = newPage();
    const query = ampView(`${CACHE}/${kind}/news.example/${newStory()}/amp/?amp_js_v=0.1&usqp=mq331AQ`, {
      canonical_url: canonical,
    });
    expect((await pixel(query)).status).toBe(200);
    // The template names the page in views alone.
    const { metadata: _, ...address } = query;
    await pixel({ ...address, action: 'heartbeat', tt: '7', inc: '7' });
    const rows = await stored(canonical);
    expect(rows.map(({ action, channel }) => `${action} ${channel}`).sort()).toEqual(['heartbeat amp', 'pageview amp']);
  });

  test('without a template counts for the address behind the cache, with the campaign of the link', async () => {
    const story = newStory();
    await pixel(ampView(`${CACHE}/v/s/news.example/${story}?page=2&utm_campaign=spring&amp_gsa=1&usqp=mq331AQ`));
    expect(await stored(`https://news.example/${story}?page=2`)).toMatchObject([{ campaign_id: 'spring' }]);
  });

  test('has no user name in its address, and no dot of the root, however the cache is asked for it', async () => {
    const story = newStory();
    for (const host of ['reader:word@news.example', 'news.example.'])
      await pixel(ampView(`${CACHE}/c/s/${host}/${story}`));
    expect(await stored(`https://news.example/${story}`)).toHaveLength(2);
  });

  test('of another publisher is none of the site’s, for any client of the cache', async () => {
    const before = count('foreign-host');
    await pixel(ampView(`${CACHE}/v/s/elsewhere.example/story`, { canonical_url: newPage() }));
    await pixel(ampView('https://elsewhere-example.cdn.ampproject.org/', { canonical_url: newPage() }));
    await pixel(ampView('https://news-example.cdn.ampproject.org.evil.example/v/s/news.example/story'));
    expect(count('foreign-host') - before).toBe(3);
  });

  test('is behind the address of the cache, as its own', () => {
    const pages = [
      [
        'https://example-com.cdn.ampproject.org/c/s/example.com/story?a=1&usqp=2&amp_js_v=3',
        'https://example.com/story?a=1',
      ],
      ['https://example-com.cdn.ampproject.org/c/example.com/story', 'http://example.com/story'],
      ['https://cdn.ampproject.org/v/s/www.example.com/', 'https://www.example.com/'],
      ['https://my--site-example-com.cdn.ampproject.org/', 'https://my-site.example.com/'],
      ['https://0-en--us-example-com-0.cdn.ampproject.org/', 'https://en-us.example.com/'],
      // bücher-example, as the cache writes bücher.example.
      ['https://xn--bcher-example-wob.cdn.ampproject.org/', 'https://xn--bcher-kva.example/'],
      ['https://5u3zr4sh4gnfpnqjjkhq.cdn.ampproject.org/', undefined],
      ['https://example.com/c/s/example.com/story', undefined],
    ] as const;
    const found = pages.map(([cached]) => [cached, publisherPage(new URL(cached))?.href]);
    expect(found).toEqual(pages);
  });
});

describe('the page that metadata names', () => {
  const view = (url: string, metadata: unknown) => ({ idsite: 'news.example', action: 'pageview', url, metadata });

  test.each(['/events', '/mobileproxy'])(
    'counts instead of the address at %s: canonical_url, else link',
    async (path) => {
      const [canonical, link, screen] = [newPage(), newPage(), newPage()];
      const events = [
        view(`${screen}?utm_source=letter`, { canonical_url: `${canonical}?utm_medium=app#top`, link: newPage() }),
        view(screen, { link }),
      ];
      await post({ events }, {}, path);
      expect(await stored(canonical)).toMatchObject([{ campaign_source: 'letter' }]);
      expect(await stored(link)).toHaveLength(1);
      expect(await stored(screen)).toEqual([]);
    },
  );

  test('is that of what its reader does there afterwards, in events that name none', async () => {
    const [link, screen] = [newPage(), newPage()];
    const by = (reader: string, action: string, more: object = {}) => ({
      ...view(screen, undefined),
      action,
      data: { parsely_site_uuid: reader },
      ...more,
    });
    await post({ events: [by('A', 'pageview', { metadata: { link } }), by('A', 'heartbeat', { inc: 5 })] });
    await post({ events: [by('A', 'conversion'), by('B', 'heartbeat', { inc: 6 })] });
    await post({ events: [by('A', 'pageview'), by('A', 'heartbeat', { inc: 8 })] });
    await post({ events: [by('OPTOUT', 'pageview', { metadata: { link } }), by('OPTOUT', 'heartbeat', { inc: 7 })] });
    const at = async (page: string) => (await stored(page)).map(({ action, seconds }) => `${action} ${seconds}`).sort();
    expect(await at(link)).toEqual(['conversion 0', 'heartbeat 5', 'pageview 0', 'pageview 0']);
    expect(await at(screen)).toEqual(['heartbeat 6', 'heartbeat 7', 'heartbeat 8', 'pageview 0']);
  });

  test('must be a web page of the site: anything else leaves the address as it is', async () => {
    const page = newPage();
    const junk = ['https://elsewhere.example/', 'javascript:alert(1)', '/story', '', 'https://', 17, null, ['x'], {}];
    const events = junk.map((said) => view(page, { canonical_url: said, link: said }));
    await post({ events: [...events, view(page, 'https://news.example/text')] });
    expect(await stored(page)).toHaveLength(junk.length + 1);
  });

  test('of a video’s event is the video', async () => {
    const [page, video] = [newPage(), newPage()];
    await post({ events: [{ ...view(page, { link: video }), action: 'videostart' }] });
    expect(await stored(page)).toMatchObject([{ action: 'videostart', video }]);
  });
});
