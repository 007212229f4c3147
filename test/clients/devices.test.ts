// What the published trackers of devices send (Roku, React Native, iOS, Android, AMP), field by field as they write it,
// and what each is stored as. Written from their published sources.
import { beforeAll, describe, expect, test } from 'vitest';
import { newPage, newsroom, now, type Received, receiveEach } from '../ingest/newsroom.ts';

const room = newsroom({ lazy: true });

interface Sender {
  send(url: string): Promise<Response>;
  rows: Record<string, unknown>[];
}

const ROKU = 'Roku/DVP-14.5 (14.5.0.4205-C2)';
const DEVICE = '1f0c7c3e-6c1c-5a2b-9e57-0d8f3c1a2b4c';

/** The player’s page is made of the Site ID; the video is named by its metadata, where the id is a number. */
const roku = (action: string, fields: Record<string, string> = {}) => {
  const metadata = { title: 'The fire', section: 'Uncategorized', authors: 'news.example', tags: {}, image_url: '' };
  return (url: string) =>
    room.pixel(
      {
        data: JSON.stringify({ parsely_site_uuid: DEVICE }),
        metadata: JSON.stringify({ ...metadata, link: 48213, video_platform: 'roku' }),
        ...{ action, idsite: 'news.example', url, urlref: '', ...fields },
        screen: '1280x720|1280x720|32',
        date: new Date(now - 1000).toISOString(),
      },
      { userAgent: ROKU },
    );
};

const batch = (events: (url: string) => object[], userAgent: string) => (url: string) =>
  room.post({ events: events(url) }, { userAgent, type: 'application/json' }, '/mobileproxy');

const IOS = 'ExampleNews/5.1 iOS/17.4 (iPhone14,5)';
const session = { sid: 3, sts: now - 9000, surl: 'https://news.example/', sref: '', slts: 0 };

const senders: Record<string, Sender> = {
  'Roku, a video that starts': {
    send: roku('videostart'),
    rows: [{ action: 'videostart', video: '48213', time: now - 1000 }],
  },
  'Roku, ten seconds of a video': {
    send: roku('vheartbeat', { inc: '10' }),
    rows: [{ action: 'vheartbeat', video: '48213', seconds: 10 }],
  },
  'React Native, a page view': {
    send: batch(
      (url) => [
        {
          ...{ url, urlref: '', idsite: 'news.example', action: 'pageview', ts: now - 2000, pvid: 71 },
          ...{ metadata: { title: 'The fire' }, extraData: { tier: 'free' } },
          ...{ data: { parsely_site_uuid: DEVICE }, plid: 12 },
        },
      ],
      'okhttp/4.9.2',
    ),
    rows: [{ action: 'pageview', time: now - 2000, device: 'mobile' }],
  },
  'the iOS SDK, a page view and its seconds': {
    send: batch(
      (url) =>
        [{ action: 'pageview' }, { action: 'heartbeat', inc: 11, tt: 11 }].map((own, at) => ({
          ...{ url, urlref: '', idsite: 'news.example', ...own, ...session },
          data: { ts: now - 2000 + at, parsely_site_uuid: DEVICE },
          metadata: { title: 'The fire', pub_date: String(now - 86_400_000), page_type: 'post', duration: 12.5 },
        })),
      IOS,
    ),
    rows: [
      { action: 'pageview', time: now - 2000, device: 'mobile' },
      { action: 'heartbeat', seconds: 11 },
    ],
  },
  'the Android SDK, a conversion': {
    send: batch(
      (url) => [
        {
          ...{ url, urlref: '', idsite: 'news.example', action: 'conversion' },
          data: {
            ...{ _conversion_type: 'lead_capture', _conversion_label: 'Quote', ts: now - 2000 },
            ...{ parsely_site_uuid: DEVICE, manufacturer: 'Google', os: 'android', os_version: '34', appname: 'News' },
          },
        },
      ],
      'Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/UQ1A.240105.004)',
    ),
    rows: [{ action: 'conversion', conversion_type: 'lead_capture', conversion_label: 'Quote', device: 'mobile' }],
  },
  'an app that names its channel without an underscore': {
    send: batch(
      (url) => [{ url, idsite: 'news.example', action: 'pageview', data: { ts: now - 2000, channel: 'apln-rta' } }],
      IOS,
    ),
    rows: [{ action: 'pageview', channel: 'apln-rta' }],
  },
};

let received: Record<string, Received>;
beforeAll(async () => {
  received = await receiveEach(room, senders);
});

describe.each(Object.entries(senders))('%s', (name, { rows }) => {
  test('is stored', () => {
    const { status, outcomes, rows: found } = received[name]!;
    expect(status).toBe(200);
    expect(found).toMatchObject(rows);
    expect(outcomes).toEqual([['stored', rows.length]]);
  });
});

// AMP reads the cookie of its own name on pages of the publisher: that of the tracker, whose value is JSON.
test('a reader of an AMP page is the reader whom the cookie of the other pages names, in every session', async () => {
  const id = 'pid=0123456789abcdef0123456789abcdef';
  const url = newPage();
  await room.pixel({
    idsite: 'news.example',
    action: 'pageview',
    url,
    rand: '1',
    data: `{"parsely_site_uuid":"${id}"}`,
  });
  for (const session_count of [1, 2]) {
    const ampid = JSON.stringify({ id, session_count, last_session_ts: now - session_count });
    await room.pixel({ idsite: 'news.example', action: 'pageview', url, rand: '1', ampid });
  }
  const rows = await room.stored(url);
  expect(rows.map(({ channel }) => channel).sort()).toEqual(['amp', 'amp', 'website']);
  expect(new Set(rows.map(({ visitor }) => visitor)).size).toBe(1);
});
