// Beacons as trackers, apps and servers really send them, and what each is stored as, or why it is not.
import { beforeAll, describe, expect, test } from 'vitest';
import { FIREFOX, newsroom, now, type Received, receiveEach, type Sending } from './newsroom.ts';

const room = newsroom({ lazy: true });

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';

interface Beacon {
  /** What the sender sends, for the page. */
  send(url: string): Promise<Response>;
  /** Columns of the rows stored under the page; none: nothing is stored. */
  rows?: Record<string, unknown>[];
  /** Why nothing is stored. */
  dropped?: string;
  /** It is no event at all: nothing is stored, dropped or counted. */
  probe?: boolean;
}

const plogger = (query: Record<string, string>, sending?: Sending) => (url: string) =>
  room.pixel({ idsite: 'news.example', url, ...query }, sending);
const px = (query: Record<string, string>) => (url: string) =>
  room.pixel({ idsite: 'news.example', url, ...query }, {}, '/px/');
const mobile = (event: Record<string, unknown>, userAgent = 'ExampleNews/7.1 CFNetwork/1568.200.51 Darwin/24.1.0') => {
  return (url: string) =>
    room.post(
      { events: [{ idsite: 'news.example', url, ...event }] },
      { userAgent, type: 'application/json' },
      '/mobileproxy',
    );
};
const legacy = (batch: (url: string) => unknown) => (url: string) =>
  room.post(
    new URLSearchParams({ rqs: JSON.stringify(batch(url)) }).toString(),
    { userAgent: 'okhttp/4.12.0', type: 'application/x-www-form-urlencoded' },
    '/mobileproxy',
  );
const raw = (path: (url: string) => string) => (url: string) =>
  room.request(path(encodeURIComponent(url)), { headers: { 'User-Agent': FIREFOX } });
const widget = (event: Record<string, unknown>) => (url: string) =>
  room.post({ events: [{ idsite: 'news.example', url, ...event }] });

const beacons: Record<string, Beacon> = {
  'a page view of a browser tracker': {
    send: plogger({
      action: 'pageview',
      rand: '1690001',
      plid: 'b1c2',
      urlref: 'https://t.co/xyz',
      screen: '1920x1080|1920x1040|24',
      sts: '1795175990000',
      slts: '0',
      date: 'Fri Nov 20 2026 20:59:59 GMT+0900 (Japan Standard Time)',
      title: 'Five things — today',
      data: '{"parsely_uuid":"pid=aa","parsely_site_uuid":"pid=bb"}',
      sid: '1',
      pvid: '2',
      u: 'pid=aa',
    }),
    rows: [{ action: 'pageview', time: now - 1000, day: '2026-11-20', referrer_type: 'social', referrer: 'twitter' }],
  },
  'a heartbeat of a browser tracker': {
    send: plogger({ action: 'heartbeat', inc: '5', tt: '10500', rand: '1690002', data: '{"parsely_site_uuid":"x"}' }),
    rows: [{ action: 'heartbeat', seconds: 5 }],
  },
  'a heartbeat with parts of a second': { send: plogger({ action: 'heartbeat', inc: '4.6' }), rows: [{ seconds: 5 }] },
  'a heartbeat of one second': { send: plogger({ action: 'heartbeat', inc: '1' }), rows: [{ seconds: 1 }] },
  'a heartbeat of exactly an hour': { send: plogger({ action: 'heartbeat', inc: '3600' }), rows: [{ seconds: 3600 }] },
  'a heartbeat without seconds': { send: plogger({ action: 'heartbeat', tt: '10' }), dropped: 'bad-increment' },
  'a heartbeat of more than an hour': { send: plogger({ action: 'heartbeat', inc: '3601' }), dropped: 'bad-increment' },
  'a heartbeat counted backwards': { send: plogger({ action: 'heartbeat', inc: '-5' }), dropped: 'bad-increment' },
  'an AMP page view': {
    send: plogger({ action: 'pageview', ampid: 'amp-abc', rand: '1795176000000', date: '1795176000000', title: 'A' }),
    rows: [{ channel: 'amp', time: 1795176000000, device: 'desktop' }],
  },
  'an AMP heartbeat with its total in tt': {
    send: plogger({ action: 'heartbeat', ampid: 'amp-abc', tt: '15', inc: '15' }, { userAgent: IPHONE }),
    rows: [{ channel: 'amp', seconds: 15, device: 'mobile' }],
  },
  'a page of Apple News': {
    send: plogger({ action: 'pageview', data: '{"_channel":"apln-rta"}' }),
    rows: [{ channel: 'apln-rta' }],
  },
  'a video that starts': {
    send: plogger({
      action: 'videostart',
      vsid: '7',
      metadata: '{"link":"https://News.example/video/1#t=5","title":"V"}',
    }),
    rows: [{ action: 'videostart', video: 'https://news.example/video/1', seconds: 0 }],
  },
  'a video known by its id': {
    send: plogger({ action: 'videostart', metadata: '{"link":"yt-dQw4"}' }),
    rows: [{ video: 'yt-dQw4' }],
  },
  'a video heartbeat': {
    send: plogger({ action: 'vheartbeat', inc: '6', metadata: '{"link":"https://news.example/video/1"}' }),
    rows: [{ action: 'vheartbeat', seconds: 6, video: 'https://news.example/video/1' }],
  },
  'a conversion': {
    send: plogger({
      action: 'conversion',
      data: '{"_conversion_type":"newsletter_signup","_conversion_label":"Daily"}',
    }),
    rows: [{ action: 'conversion', conversion_type: 'newsletter_signup', conversion_label: 'Daily' }],
  },
  'a conversion of a kind of its own': {
    send: plogger({ action: 'conversion', data: '{"_conversion_type":"poll","_conversion_label":"Yes"}' }),
    rows: [{ conversion_type: 'custom', conversion_label: 'Yes' }],
  },
  'a share': { send: widget({ action: 'share', data: { network: 'fb' } }), rows: [{ action: 'share', network: 'fb' }] },
  'a share on a network that is not counted': {
    send: widget({ action: 'share', data: { network: 'whatsapp' } }),
    rows: [{ action: 'share', network: '' }],
  },
  'an action of the publisher’s own': { send: widget({ action: 'custom' }), rows: [{ action: 'custom' }] },
  'a page view that carries segments': {
    send: widget({ action: 'pageview', data: { segments: ['subscriber', ' subscriber ', 'north', '', 7] } }),
    rows: [{ segments: ['subscriber', 'north'] }],
  },
  'a pixel that carries segments in one text': {
    send: plogger({ action: 'pageview', data: '{"segments":"subscriber, north,subscriber"}' }),
    rows: [{ segments: ['subscriber', 'north'] }],
  },
  'an app that carries segments': {
    send: mobile({ action: 'heartbeat', inc: 3, data: { ts: now, segments: ['app'] } }),
    rows: [{ action: 'heartbeat', segments: ['app'] }],
  },
  'an ad blocker’s test, without any parameter': { send: () => room.request('/px/', {}), probe: true },
  'a share of a page that came from a network': {
    send: plogger({ action: 'share', urlref: 'https://www.facebook.com/', data: '{"network":"tw"}' }),
    rows: [{ action: 'share', network: 'tw', referrer_type: 'social', referrer: 'facebook' }],
  },
  'a conversion of a link': {
    send: plogger({ action: 'conversion', data: '{"_conversion_type":"link_click","_conversion_label":"shop"}' }),
    rows: [{ conversion_type: 'link_click', conversion_label: 'shop' }],
  },
  'a page of an instant article': {
    send: plogger({ action: 'pageview', data: '{"_channel":"fbia"}' }),
    rows: [{ channel: 'fbia' }],
  },
  'an AMP page view of a reader who opted out': {
    send: plogger({ action: 'pageview', ampid: 'OPTOUT', u: 'OPTOUT' }),
    rows: [{ channel: 'amp', visitor: '0' }],
  },
  'an app whose reader opted out': {
    send: mobile({ action: 'pageview', data: { ts: now, parsely_site_uuid: 'OPTOUT' } }),
    rows: [{ visitor: '0' }],
  },
  'a publisher’s server with a date and its offset': {
    send: plogger(
      { action: 'pageview', date: '2026-11-20T12:58:30+01:00', ip_address: '198.51.100.20' },
      { userAgent: 'Go-http-client/2.0' },
    ),
    rows: [{ time: now - 90_000 }],
  },
  'a publisher’s server with a date of last week': {
    send: plogger(
      { action: 'pageview', date: '2026-11-13T12:00:00Z', ip_address: '198.51.100.20' },
      { userAgent: 'Go-http-client/2.0' },
    ),
    rows: [{ time: now }],
  },
  'a page whose scheme is left out': {
    send: () => room.pixel({ idsite: 'news.example', action: 'pageview', url: '//news.example/' }),
    dropped: 'bad-url',
  },
  'an unknown action': { send: plogger({ action: '_scroll' }), dropped: 'unknown-action' },
  'a publisher’s server with an ISO date': {
    send: plogger(
      { action: 'pageview', date: '2026-11-20T11:58:30.250Z', ip_address: '198.51.100.20', u: 'reader' },
      { userAgent: 'python-requests/2.32.3', ip: '192.0.2.10' },
    ),
    rows: [{ time: now - 89_750 }],
  },
  'a publisher’s server that hands on a crawler’s user agent': {
    send: plogger(
      { action: 'pageview', ip_address: '66.249.66.1' },
      { userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
    ),
    dropped: 'bot',
  },
  'a script': { send: plogger({ action: 'pageview' }, { userAgent: 'python-requests/2.32.3' }), dropped: 'bot' },
  'a reader who opted out of being distinguished': {
    send: plogger({ action: 'pageview', u: 'OPTOUT', ampid: 'x' }),
    rows: [{ action: 'pageview', visitor: '0' }],
  },
  'a reader who opted out': { send: plogger({ action: 'pageview', data: '{"opted_out":true}' }), dropped: 'opted-out' },
  'a pixel that uses no address': { send: px({ action: 'pageview' }), rows: [{ visitor: '0' }] },
  'a pixel that is given an address all the same': {
    send: px({ action: 'pageview', ip_address: '198.51.100.20' }),
    rows: [{ visitor: '0' }],
  },
  'a page view of an app': {
    send: mobile({
      action: 'pageview',
      urlref: '',
      data: { ts: now - 60_000, parsely_site_uuid: 'device-1', manufacturer: 'Apple', os: 'iOS', os_version: '18.1' },
      metadata: null,
      pvid: 'p',
    }),
    rows: [{ action: 'pageview', time: now - 60_000, device: 'mobile', referrer_type: 'direct' }],
  },
  'a heartbeat of an app': {
    send: mobile({ action: 'heartbeat', inc: 11, tt: 33, data: { ts: now, parsely_site_uuid: 'device-1' } }),
    rows: [{ action: 'heartbeat', seconds: 11 }],
  },
  'a video of an app': {
    send: mobile({ action: 'videostart', metadata: { link: 'vid-1', title: 'V', duration: 12 }, data: { ts: now } }),
    rows: [{ action: 'videostart', video: 'vid-1' }],
  },
  'a page view an app kept for two days': {
    send: mobile({ action: 'pageview', data: { ts: now - 48 * 3600_000 } }),
    rows: [{ time: now - 48 * 3600_000 }],
  },
  'an old app, times in seconds': {
    send: legacy((url) => ({
      data: { idsite: 'news.example', parsely_site_uuid: 'device-2', os: 'android' },
      events: [
        { url, ts: now / 1000 - 30 },
        { url, ts: now / 1000 - 20 },
      ],
    })),
    rows: [{ time: now - 30_000, device: 'mobile' }, { time: now - 20_000 }],
  },
  'an old app that says neither where nor of what': {
    send: legacy(() => ({ data: { idsite: 'news.example' }, events: [{ ts: now / 1000 }] })),
    dropped: 'bad-url',
  },
  'an old app whose form says something else first': {
    send: (url) =>
      room.post(
        new URLSearchParams({
          sdk: '1.0',
          rqs: JSON.stringify({ data: { idsite: 'news.example' }, events: [{ url, ts: now / 1000 }] }),
        }).toString(),
        { userAgent: 'okhttp/4.12.0', type: 'application/x-www-form-urlencoded' },
        '/mobileproxy',
      ),
    rows: [{ action: 'pageview', time: now }],
  },
  'an old app cut short': {
    send: (url) => room.post(`rqs=%7B%22data%22%3A${encodeURIComponent(url)}`, {}, '/mobileproxy'),
    dropped: 'malformed',
  },
  'JSON cut short': { send: (url) => room.post(`{"events":[{"url":"${url}"`), dropped: 'malformed' },
  'a pixel with unescaped braces': {
    send: raw(
      (url) => `/plogger/?idsite=news.example&action=pageview&url=${url}&data={"parsely_site_uuid":"a{b}"}&metadata={}`,
    ),
    rows: [{ action: 'pageview' }],
  },
  'a pixel with a broken escape': {
    send: raw((url) => `/plogger/?idsite=news.example&action=pageview&url=${url}&title=100%&u=%E0%A4%A`),
    rows: [{ action: 'pageview' }],
  },
  'a pixel that names a field __proto__': {
    send: raw((url) => `/plogger/?__proto__=x&idsite=news.example&action=pageview&url=${url}`),
    rows: [{ action: 'pageview' }],
  },
  'a page named twice': {
    send: raw((url) => `/plogger/?idsite=news.example&action=pageview&url=${url}&url=javascript:alert(1)`),
    rows: [{ action: 'pageview' }],
  },
  'an unknown Site ID': {
    send: (url) => room.pixel({ idsite: 'other.example', action: 'pageview', url }),
    dropped: 'unknown-site',
  },
  'no Site ID': { send: (url) => room.pixel({ action: 'pageview', url }), dropped: 'unknown-site' },
  'a page of somebody else': {
    send: () => room.pixel({ idsite: 'news.example', action: 'pageview', url: 'https://translate.example/news' }),
    dropped: 'foreign-host',
  },
  'a page on a disk': {
    send: () => room.pixel({ idsite: 'news.example', action: 'pageview', url: 'file:///C:/saved.html' }),
    dropped: 'bad-url',
  },
  'a page with a NUL in its name': {
    send: () => room.pixel({ idsite: 'news.example', action: 'pageview', url: 'https://news.example/\u0000' }),
    dropped: 'bad-url',
  },
};

let received: Record<string, Received>;
beforeAll(async () => {
  received = await receiveEach(room, beacons);
});

describe.each(Object.entries(beacons))('%s', (name, { rows = [], dropped, probe = false }) => {
  test(probe ? 'is answered, and nothing else' : dropped ? `is dropped: ${dropped}` : 'is stored', () => {
    const { status, outcomes, rows: found } = received[name]!;
    expect(status).toBe(200);
    expect(found).toHaveLength(rows.length);
    expect(found).toMatchObject(rows);
    if (probe) return expect(outcomes).toEqual([]);
    expect(outcomes).toEqual(dropped === undefined ? [['stored', rows.length]] : [[dropped, 1]]);
  });
});
