// GET /analytics/series: metrics by interval of the site's zone, also where clocks change.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const NOW = Date.parse('2040-11-14T14:30:00+01:00');
const A = 'https://paper.example/a';
const B = 'https://paper.example/世界';

interface Interval {
  start: string;
  partial: boolean;
  metrics: Record<string, number>;
}
type Answered = {
  data: (Interval & { previous?: Interval })[];
  meta: { metrics: string[]; sort: string };
  links: object;
  code?: number;
  errors?: Record<string, string[]>;
};
type Params = Record<string, string | readonly string[]>;

let room: Newsroom;

const series = async (params: Params) => (await room.ask('/analytics/series', params)) as unknown as Answered;
const viewsOf = ({ data }: Answered) => Object.fromEntries(data.map(({ start, metrics }) => [start, metrics.views]));
const at = (local: string) => Date.parse(local);

beforeAll(async () => {
  room = await openNewsroom({ now: NOW, timezone: 'Europe/Berlin' });
  await room.write(A, { title: 'A', section: 'World', authors: ['Ann'] });
  await room.write(B, { title: '世界', section: '政治', authors: ['Zoë Ω'], tags: ['🎈'] });
  await room.write('https://paper.example/', { title: 'Home', pageType: 'index' });
  await room.happen(
    // Clocks are set back at three: two o'clock comes twice.
    { url: A, visitor: '1', time: at('2040-10-28T02:30:00+02:00') },
    { url: A, visitor: '1', time: at('2040-10-28T02:30:00+01:00') },
    { url: B, visitor: '2', time: at('2040-10-28T02:59:59.999+01:00'), segments: ['Ω'] },
    { url: A, visitor: '3', time: at('2040-10-28T03:00:00+01:00') },
    { url: 'https://paper.example/', visitor: '3', time: at('2040-10-28T03:00:00+01:00') },
    { url: A, visitor: '1', time: at('2040-11-13T09:15:00+01:00') },
    { url: A, visitor: '1', time: at('2040-11-13T20:00:00+01:00') },
    { url: A, visitor: '1', time: at('2040-11-14T09:15:00+01:00') },
    { url: A, visitor: '2', time: at('2040-11-14T09:45:00+01:00'), action: 'heartbeat', seconds: 90 },
    { url: B, visitor: '4', time: at('2040-11-14T14:29:30+01:00') },
  );
});
afterAll(() => room.close());

describe('intervals of the site’s zone', () => {
  test('a day on which clocks are set back has 25 hours, and two o’clock twice', async () => {
    const answer = await series({ interval: 'hour', period_start: '2040-10-28', period_end: '2040-10-28' });
    expect(answer.data).toHaveLength(25);
    expect(viewsOf(answer)).toMatchObject({
      '2040-10-28T00:00:00+02:00': 0,
      '2040-10-28T02:00:00+02:00': 1,
      '2040-10-28T02:00:00+01:00': 2,
      '2040-10-28T03:00:00+01:00': 1,
      '2040-10-28T23:00:00+01:00': 0,
    });
    expect(answer.data.every(({ partial }) => !partial)).toBe(true);
  });

  test('a day on which they are set forward has 23', async () => {
    const answer = await series({ interval: 'hour', period_start: '2040-03-25', period_end: '2040-03-25' });
    const starts = answer.data.map(({ start }) => start);
    expect(starts).toHaveLength(23);
    expect(starts.slice(1, 3)).toEqual(['2040-03-25T01:00:00+01:00', '2040-03-25T03:00:00+02:00']);
  });

  test('days, weeks from Monday and months begin at midnight there', async () => {
    const asked = { period_start: '2040-10-27', period_end: '2040-11-13' };
    const starts = async (interval: string) => (await series({ ...asked, interval })).data.map(({ start }) => start);
    const days = await starts('day');
    expect(days).toHaveLength(18);
    expect(days.slice(1, 3)).toEqual(['2040-10-28T00:00:00+02:00', '2040-10-29T00:00:00+01:00']);
    expect(await starts('week')).toEqual([
      '2040-10-22T00:00:00+02:00',
      '2040-10-29T00:00:00+01:00',
      '2040-11-05T00:00:00+01:00',
      '2040-11-12T00:00:00+01:00',
    ]);
    expect(await starts('month')).toEqual(['2040-10-01T00:00:00+02:00', '2040-11-01T00:00:00+01:00']);
  });

  test('what the period has only a part of is marked, and only that part is counted', async () => {
    const { data } = await series({ interval: 'day', period_start: '2040-11-13T12:00' });
    expect(data).toEqual([
      { start: '2040-11-13T00:00:00+01:00', partial: true, metrics: { views: 1 } },
      { start: '2040-11-14T00:00:00+01:00', partial: true, metrics: { views: 2 } },
    ]);
    const whole = await series({ interval: 'day', period_start: '2040-11-13', period_end: '2040-11-13' });
    expect(whole.data).toEqual([{ start: '2040-11-13T00:00:00+01:00', partial: false, metrics: { views: 2 } }]);
  });

  test('minutes of an hour', async () => {
    const answer = await series({ interval: 'minute', time: '1h' });
    expect(answer.data).toHaveLength(61);
    expect(viewsOf(answer)).toMatchObject({ '2040-11-14T14:28:00+01:00': 0, '2040-11-14T14:29:00+01:00': 1 });
  });

  test('hours of a zone with quarters, and an hour in which clocks are set by half of it', async () => {
    const ask = async (timezone: string, day: string) => {
      const id = `${timezone.replace('/', '-').toLowerCase().replace('_', '-')}.example` as Newsroom['site']['id'];
      if (!room.deps.sites.find(id)) await room.deps.sites.add({ ...room.site, id, timezone });
      const { data } = await series({ apikey: id, interval: 'hour', period_start: day, period_end: day });
      return data.map(({ start }) => start.slice(11));
    };
    expect((await ask('Asia/Kathmandu', '2040-11-01')).slice(0, 2)).toEqual(['00:00:00+05:45', '01:00:00+05:45']);
    const setBack = await ask('Australia/Lord_Howe', '2040-04-01');
    expect(setBack.slice(0, 4)).toEqual(['00:00:00+11:00', '01:00:00+11:00', '01:30:00+10:30', '02:00:00+10:30']);
    const setForward = await ask('Australia/Lord_Howe', '2040-10-07');
    expect(setForward.slice(1, 4)).toEqual(['01:00:00+10:30', '02:30:00+11:00', '03:00:00+11:00']);
  });
});

describe('what is counted', () => {
  test.each(['minute', 'hour', 'day', 'week', 'month'])(
    'by %s, sums are those of /analytics/posts',
    async (interval) => {
      const names = ['views', 'desktop_views', 'engaged_minutes', 'social_interactions'];
      const asked = { period_start: '2040-11-12T07:11', period_end: '2040-11-14T14:29:45', metrics: names.join(',') };
      const { data, meta } = await series({ ...asked, interval });
      expect(meta).toEqual({ metrics: names, sort: 'start' });
      const posts = await room.ask('/analytics/posts', { ...asked, limit: '2000' });
      const sum = (records: readonly { metrics: Record<string, number> }[], name: string) =>
        records.reduce((total, { metrics }) => total + metrics[name]!, 0);
      for (const name of names) expect([name, sum(data, name)]).toEqual([name, sum(posts.data, name)]);
      expect(sum(data, 'views')).toBe(4);
    },
  );

  test('the sums are the same with more pages that are no posts than are taken off totals', async () => {
    const id = 'archive.example' as Newsroom['site']['id'];
    await room.deps.sites.add({ ...room.site, id });
    await room.deps.library.write(id, 'https://archive.example/post', {
      patch: { title: 'Post', pageType: 'post' },
      aliases: [],
    });
    const ask = async (interval: string) =>
      (await series({ apikey: id, interval, period_start: '2040-11-14T08:05', period_end: '2040-11-14T10:20' })).data
        .map(({ metrics }) => metrics.views)
        .filter((views) => views !== 0);
    const view = (url: string, time: string) => ({ site: id, url: `https://archive.example/${url}`, time: at(time) });
    await room.happen(
      view('post', '2040-11-14T08:04:59.999+01:00'),
      view('post', '2040-11-14T08:05+01:00'),
      view('post', '2040-11-14T10:20:59.999+01:00'),
      view('post', '2040-11-14T10:21+01:00'),
      view('', '2040-11-14T09:00+01:00'),
    );
    const few = [await ask('hour'), await ask('day')];
    await room.happen(...Array.from({ length: 1_001 }, (_, page) => view(`tag/${page}`, '2040-11-14T09:30+01:00')));
    expect([await ask('hour'), await ask('day')]).toEqual(few);
  });

  test('a visitor counts once an interval, and is new in that of the first view', async () => {
    const asked = { period_start: '2040-10-28', period_end: '2040-10-28', metrics: 'visitors,visitors_new' };
    const { data: hours } = await series({ ...asked, interval: 'hour' });
    expect(hours.slice(2, 5).map(({ metrics }) => metrics)).toEqual([
      { visitors: 1, visitors_new: 1 },
      { visitors: 1 + 1, visitors_new: 1 },
      { visitors: 1, visitors_new: 1 },
    ]);
    const { data: days } = await series({ ...asked, interval: 'day' });
    expect(days.map(({ metrics }) => metrics)).toEqual([{ visitors: 3, visitors_new: 3 }]);
  });

  test.each<[Params, number]>([
    [{}, 4],
    [{ section: 'World' }, 3],
    [{ section: '政治' }, 1],
    [{ author: 'Zoë Ω' }, 1],
    [{ tag: '🎈' }, 1],
    [{ segment: 'Ω' }, 1],
    [{ channel: 'amp' }, 0],
    [{ device: 'tablet' }, 0],
    [{ campaign_id: 'spring' }, 0],
    [{ pub_date_start: '2040-01-01' }, 0],
  ])('filters are those of /analytics/posts: %j', async (filter, views) => {
    const asked = { period_start: '2040-10-28', period_end: '2040-10-28', ...filter };
    expect((await series(asked)).data).toEqual([
      { start: '2040-10-28T00:00:00+02:00', partial: false, metrics: { views } },
    ]);
    const posts = await room.ask('/analytics/posts', asked);
    expect(posts.data.reduce((sum, { _hits }) => sum + _hits, 0)).toBe(views);
  });

  test('a hidden post is not counted', async () => {
    const asked = { period_start: '2040-10-28', period_end: '2040-10-28' };
    await room.ask('/exclude/ignore', { url: A });
    expect((await series(asked)).data[0]!.metrics).toEqual({ views: 1 });
    await room.ask('/exclude/include', { url: A });
    expect((await series(asked)).data[0]!.metrics).toEqual({ views: 4 });
  });
});

describe('compare=previous', () => {
  test('whole days stand beside as many days before', async () => {
    const { data } = await series({ period_start: '2040-11-13', period_end: '2040-11-13', compare: 'previous' });
    expect(data).toEqual([
      {
        start: '2040-11-13T00:00:00+01:00',
        partial: false,
        metrics: { views: 2 },
        previous: { start: '2040-11-12T00:00:00+01:00', partial: false, metrics: { views: 0 } },
      },
    ]);
  });

  test('today so far stands beside yesterday until then', async () => {
    const { data } = await series({ period_start: '2040-11-14', compare: 'previous' });
    expect(data).toEqual([
      {
        start: '2040-11-14T00:00:00+01:00',
        partial: true,
        metrics: { views: 2 },
        previous: { start: '2040-11-13T00:00:00+01:00', partial: true, metrics: { views: 1 } },
      },
    ]);
  });

  test('today is not over, also where its end is asked for', async () => {
    const { data } = await series({ interval: 'hour', period_start: '2040-11-14', period_end: '2040-11-14' });
    expect(data.map(({ partial }) => partial)).toEqual(data.map((_, hour) => hour >= 14));
  });

  test('three days from one moment to another follow the three before at once', async () => {
    const { data } = await series({ compare: 'previous' });
    expect(data.map(({ start, previous }) => [start.slice(8, 10), previous!.start.slice(8, 10)])).toEqual([
      ['11', '08'],
      ['12', '09'],
      ['13', '10'],
      ['14', '11'],
    ]);
  });

  test('a month stands beside the month before, and hours beside as many hours', async () => {
    const month = await series({
      interval: 'month',
      period_start: '2040-10-01',
      period_end: '2040-10-31',
      compare: 'previous',
    });
    expect(month.data.map(({ previous }) => previous!.start)).toEqual(['2040-09-01T00:00:00+02:00']);
    const hours = await series({
      interval: 'hour',
      period_start: '2040-10-28T03:00',
      period_end: '2040-10-28T05:00',
      compare: 'previous',
    });
    expect(hours.data.map(({ previous }) => [previous!.start, previous!.metrics.views])).toEqual([
      ['2040-10-28T02:00:00+02:00', 1],
      ['2040-10-28T02:00:00+01:00', 2],
    ]);
  });
});

describe('refused', () => {
  test.each<[what: string, params: Params, name: string, sentence: RegExp]>([
    [
      'an interval there is none of',
      { interval: 'year' },
      'interval',
      /^Give one of minute, hour, day, week, month\.$/,
    ],
    ['a metric there is none of', { metrics: 'views,starts' }, 'metrics', /^Give some of views, /],
    ['a comparison there is none of', { compare: 'next' }, 'compare', /^Give one of previous\.$/],
    ['too many minutes', { interval: 'minute', days: '4' }, 'interval', /^Give hour, day, week or month, or a shorter/],
    [
      'a period that ends before it starts',
      { period_start: '2040-11-14', period_end: '2040-11-12' },
      'period_start',
      /^Give a start that is not after the end\.$/,
    ],
    ['a period that is too long', { days: '91' }, 'days', /^Give a period of at most 90 days\.$/],
    ['six authors', { author: [...'abcdef'] }, 'author', /^Give at most 5 values\.$/],
  ])('%s', async (_, params, name, sentence) => {
    const answer = await series(params);
    expect(answer.code).toBe(422);
    expect(answer.errors![name]).toEqual([expect.stringMatching(sentence)]);
    expect(answer).not.toHaveProperty('data');
  });

  test('a wrong secret, and an unknown site', async () => {
    const wrongs: Params[] = [{ secret: 'wrong' }, { secret: room.writeSecret }, { apikey: 'nobody.example' }];
    for (const wrong of wrongs)
      expect(await series(wrong)).toEqual({ code: 403, message: 'Forbidden', success: false });
  });
});

test('an empty period, and one before any clock of the database, have no intervals', async () => {
  for (const asked of [
    { period_start: '2040-11-14T10:00', period_end: '2040-11-14T10:00' },
    { period_start: '1000-01-01', period_end: '1000-01-02' },
    { period_start: '9999-12-30', period_end: '9999-12-31' },
  ])
    expect(await series({ ...asked, compare: 'previous' })).toMatchObject({ data: [], success: true });
});
