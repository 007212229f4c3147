// The smaller steps: time and day, visitors, hosts of a site, devices.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseEvent } from '../../server/ingest/parseEvent.ts';
import { belongsToSite } from '../../server/ingest/siteHosts.ts';
import { AgentReader } from '../../server/ingest/steps/agent.ts';
import { Calendar, eventTime } from '../../server/ingest/steps/eventTime.ts';
import { VisitorIds, type VisitorSigns } from '../../server/ingest/steps/visitorId.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { cpuTime } from '../support/cpuTime.ts';

const arrival = Date.UTC(2026, 10, 21, 12);
const HOUR = 3600_000;
const agents = new AgentReader();
const calendar = new Calendar();
const visitors = new VisitorIds();

describe('the time of an event', () => {
  test.each<[string | number | undefined, number]>([
    [undefined, arrival],
    [arrival - 5000, arrival - 5000],
    [String(arrival - 5000), arrival - 5000],
    ['2026-11-21T11:00:00Z', arrival - HOUR],
    ['2026-11-21T12:00:00+01:00', arrival - HOUR],
    ['2026-11-21T12:00:00 01:00', arrival - HOUR],
    ['2026-11-21T12:00:00.250 0100', arrival - HOUR + 250],
    ['2026-11-21T11:00:00', arrival - HOUR],
    ['2026-11-21 11:00', arrival - HOUR],
    ['Sat Nov 21 2026 12:30:00 GMT+0100 (Central European Standard Time)', arrival - HOUR / 2],
    ['Sat Nov 21 2026 12:30:00 GMT 0100 (Central European Standard Time)', arrival - HOUR / 2],
    [arrival + 1, arrival],
    [arrival + HOUR, arrival],
    [arrival + 25 * HOUR, arrival],
    [arrival - 24 * HOUR, arrival - 24 * HOUR],
    [arrival - 25 * HOUR, arrival],
    [arrival / 1000, arrival],
    [0, arrival],
    ['yesterday', arrival],
    [Number.NaN, arrival],
    [Number.POSITIVE_INFINITY, arrival],
    [arrival + 0.7, arrival],
  ])('%s', (said, expected) => expect(eventTime(said, arrival)).toBe(expected));
});

describe('the day of an event', () => {
  test.each([
    ['UTC', '2026-11-21T23:59:59Z', '2026-11-21'],
    ['Europe/Berlin', '2026-11-21T22:59:59Z', '2026-11-21'],
    ['Europe/Berlin', '2026-11-21T23:00:00Z', '2026-11-22'],
    ['America/Los_Angeles', '2026-11-21T07:59:59Z', '2026-11-20'],
    ['Asia/Kathmandu', '2026-11-21T18:14:59Z', '2026-11-21'],
    ['Asia/Kathmandu', '2026-11-21T18:15:00Z', '2026-11-22'],
  ])('in %s at %s is %s', (zone, at, day) => expect(calendar.dayIn(zone, Date.parse(at))).toBe(day));

  test('is what the runtime says, remembered or not', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'America/St_Johns',
      'Australia/Lord_Howe',
      'Pacific/Chatham',
      'America/Sao_Paulo',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 2 ** 41 }), (timeZone, time) => {
        expect(calendar.dayIn(timeZone, time)).toBe(new Intl.DateTimeFormat('sv-SE', { timeZone }).format(time));
      }),
      { numRuns: 3000 },
    );
  });
});

describe('a visitor', () => {
  const signs = (changes: Partial<VisitorSigns> = {}): VisitorSigns => ({
    ip: '203.0.113.7',
    userAgent: 'Firefox',
    ...changes,
  });
  const id = (changes: Partial<VisitorSigns>, salt = 'monday', site = 'a.example') =>
    visitors.of(site, signs(changes), salt);

  test('who brings an id is known by it: the uuid, else u, else the AMP id', () => {
    expect(id({ siteUuid: 'x', u: 'y', ampid: 'z' })).toBe(id({ siteUuid: 'x' }));
    expect(id({ u: 'y', ampid: 'z' })).toBe(id({ u: 'y' }));
    expect(id({ ampid: 'z' })).not.toBe(id({}));
    expect(id({ siteUuid: 'x' }, 'monday')).toBe(
      id({ siteUuid: 'x', ip: '198.51.100.1', userAgent: 'Safari' }, 'tuesday'),
    );
  });

  test('is somebody else on another site', () => {
    expect(id({ siteUuid: 'x' }, 'monday', 'a.example')).not.toBe(id({ siteUuid: 'x' }, 'monday', 'b.example'));
  });

  test('without an id lasts a day', () => {
    expect(id({})).toBe(id({}));
    expect(id({})).not.toBe(id({}, 'tuesday'));
    expect(id({})).not.toBe(id({ ip: '203.0.113.8' }));
    expect(id({})).not.toBe(id({ userAgent: 'Safari' }));
  });

  test('is not known by the id that Android gives all who deleted their advertising id', () => {
    const none = '00000000-0000-0000-0000-000000000000';
    expect(id({ siteUuid: none })).toBe(id({}));
    expect(id({ siteUuid: none, ip: '203.0.113.8' })).toBe(id({ ip: '203.0.113.8' }));
    expect(id({ siteUuid: none, u: none, ampid: 'z' })).toBe(id({ ampid: 'z' }));
    expect(id({ siteUuid: none, ip: '' })).toBe('0');
  });

  test('who opted out has no visitor id', () => {
    expect(id({ u: 'OPTOUT', ampid: 'z' })).toBe('0');
    expect(id({ siteUuid: 'OPTOUT' })).toBe('0');
    expect(id({ ip: '' })).toBe('0');
  });

  test('is the first 48 bits of SHA-256: a visitor before an update is the same after it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (siteUuid) => {
        const digest = createHash('sha256').update(`a.example\n${siteUuid}`).digest();
        expect(id({ siteUuid })).toBe(String(digest.readUIntBE(0, 6)));
      }),
    );
  });
});

describe('the pages of a site', () => {
  const named = ['localhost:8080', 'other.example', 'secure.example:443', '[::1]', '[2001:db8::2]:8080'];
  const site = { id: parseSiteId('news.example')!, domains: named };
  test.each([
    ['https://news.example/', true],
    ['https://www.news.example/', true],
    ['http://news.example:8000/', true],
    ['https://fakenews.example/', false],
    ['https://news.example.evil/', false],
    ['http://localhost:8080/', true],
    ['http://localhost:8081/', false],
    ['http://localhost/', false],
    ['https://a.b.other.example/', true],
    ['https://secure.example/', true],
    ['http://secure.example/', false],
    ['http://[::1]/', true],
    ['http://[::1]:3000/', true],
    ['http://[::11]/', false],
    ['http://[2001:db8::2]:8080/', true],
    ['http://[2001:db8::2]/', false],
  ])('%s: %s', (url, belongs) => expect(belongsToSite(new URL(url), site)).toBe(belongs));
});

describe('a user agent', () => {
  test.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36',
      'desktop',
      undefined,
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      'mobile',
      undefined,
    ],
    [
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Mobile Safari/537.36',
      'mobile',
      undefined,
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1',
      'tablet',
      undefined,
    ],
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'desktop', 'Googlebot'],
    ['curl/8.9.1', 'desktop', 'other'],
    ['', undefined, undefined],
  ])('%s', (text, device, bot) =>
    expect(agents.read(text)).toMatchObject(bot === undefined ? { device, bot } : { bot }),
  );

  test('of any length is read in no time', () => {
    const taken = cpuTime();
    agents.read(`Mozilla/5.0 ${'('.repeat(1_000_000)}`);
    expect(taken()).toBeLessThan(200);
  });
});

describe('the data of an event', () => {
  const aValue = fc.anything({
    maxDepth: 3,
    withObjectString: false,
    values: [fc.string({ maxLength: 12 }), fc.nat()],
  });
  /** As JSON has it. */
  const someData = fc.dictionary(fc.constantFrom('segments', 'a', 'b', 'c'), aValue).map((data) => {
    return JSON.parse(JSON.stringify(data)) as Record<string, unknown>;
  });

  test('loses what is too long, but for segments, and nothing else', () => {
    fc.assert(
      fc.property(someData, (data) => {
        const kept = Object.entries(data).filter(
          ([name, value]) => name === 'segments' || typeof value !== 'string' || value.length <= 8,
        );
        expect(parseEvent({ data }, { text: 8, url: 8 })?.data).toEqual(Object.fromEntries(kept));
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test.each(['data', 'metadata'])('may nest ten levels deep and no more: %s', (field) => {
    const nested = (levels: number): unknown =>
      levels === 0 ? 'text' : { [levels % 2 ? 'a' : 'b']: nested(levels - 1) };
    const lists = (levels: number): unknown => (levels === 0 ? 1 : [lists(levels - 1)]);
    for (const make of [nested, lists]) {
      expect(parseEvent({ [field]: make(10) })).toBeDefined();
      expect(parseEvent({ [field]: make(11) })).toBeUndefined();
    }
  });
});
