// What is known of an experiment, beside a naive counter: random readers at the door of events, and the result that is
// made of them; its end at a decision and at the planned readers.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pick, seeded } from '../../demo/world/random.ts';
import { examineExperiments } from '../../server/cli/doctor/experiments.ts';
import { type ExperimentRecord, RATES } from '../../server/contract/experiments.ts';
import type { IncomingEvent, ListItem } from '../../server/contract/wire.ts';
import type { VariantCounts } from '../../server/experiments/analyse.ts';
import { addReader, NOTHING } from '../../server/experiments/ratio.ts';
import { toResult } from '../../server/experiments/toExperimentRecord.ts';
import { endDecided } from '../../server/rankings/experimentResults.ts';
import { compareHalves } from '../../server/rankings/readerHalves.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { BROWSER } from '../support/beacons.ts';
import { type Newsroom, openNewsroom } from '../support/newsroom.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const START = Date.parse('2040-03-17T00:30:00Z');
const NOW = Date.parse('2040-03-20T16:30:00Z');
/** More come: the first so many count. */
const PLANNED = 1_000;
const READERS = 1_300;
/** Events of one request. */
const BATCH = 1_500;

const VARIANTS = ['control', 'grid', 'newest'] as const;
const PLAN = {
  goal: 'clicks' as const,
  readers: PLANNED,
  variants: [
    { name: 'control', share: 50 },
    { name: 'grid', share: 25 },
    { name: 'newest', share: 25 },
  ],
};
const PLACES = ['control', 'control', 'grid', 'newest'] as const;
const CLICKED = { control: 0.2, grid: 0.3, newest: 0.2 };

interface Sent {
  event: IncomingEvent & { ts: number };
  ip: string;
}

/** One reader as the test knows it, whatever the tables say. */
interface Known {
  /** Undefined: without an id. */
  id: string | undefined;
  variant: string;
  shownAt: number;
  lists: number;
  clicks: number;
  quality: number;
  /** Of each page view that measured it. */
  shifts: number[];
  /** Of each page view with the list. */
  errors: number[];
  views: number[];
}

const page = (name: string | number) => `https://paper.example/${name}`;
const random = seeded('experiment results');
const readers: Known[] = [];
const sent: Sent[] = [];

/** A reader's visits on some days; those without an id come on one day, and get a variant with each page view. */
function read(number: number): void {
  const hasId = number % 4 !== 0;
  const own = pick(random, PLACES);
  const ip = `198.51.${number >> 8}.${number & 255}`;
  const days = hasId ? [0, 1, 2].filter(() => random() < 0.6) : [Math.floor(random() * 3)];
  const id = hasId ? `reader-${number}` : undefined;
  const known: Known = {
    id,
    variant: '',
    shownAt: 0,
    lists: 0,
    clicks: 0,
    quality: 0,
    shifts: [],
    errors: [],
    views: [],
  };
  let moments = 0;
  let post = 0;
  const say = (time: number, event: Partial<IncomingEvent> & Pick<IncomingEvent, 'action' | 'url'>) => {
    const data = id ? { parsely_site_uuid: id } : {};
    const eid = `${number}-${moments++}`;
    sent.push({ ip, event: { idsite: 'paper.example', eid, ts: time, data, ...event } });
  };
  for (const day of days) {
    let time = START + day * DAY + Math.floor(random() * 12 * 60 * MINUTE) + number;
    let url = page('start');
    for (let step = 0; step < 4; step++) {
      const variant = hasId ? own : pick(random, PLACES);
      say(time, { action: 'pageview', url });
      known.views.push(time);
      const isShown = random() < 0.7;
      const isRead = random() < 0.5;
      time += 4 * SECOND;
      if (isShown) {
        const list = { list: 'related', slot: 'end', layout: 'list', experiment: 'order', variant };
        const item: ListItem = [1, page(`post-${post % 12}`), 'words'];
        if (known.variant === '') Object.assign(known, { variant, shownAt: time });
        if (known.variant === variant) known.lists++;
        say(time, { action: 'list', url, lists: [{ ...list, shown: true, seen: [item] }] });
        // Half of the browsers measure it: eighths, whose sums have no rounding.
        const moved = random() < 0.5 ? { shift: Math.floor(random() * 9) / 8 } : {};
        const measured = { ...moved, errors: random() < 0.1 ? 2 : 0 };
        say(time + SECOND, { action: 'list', url, lists: [{ ...list, ...measured }] });
        if (known.variant === variant) {
          known.errors.push(measured.errors);
          if (measured.shift !== undefined) known.shifts.push(measured.shift);
        }
        if (random() < CLICKED[variant]) {
          time += 2 * SECOND;
          say(time, { action: 'list', url, lists: [{ ...list, clicked: [item] }] });
          if (known.variant === variant) known.clicks++;
          if (known.variant === variant && isRead) known.quality++;
          url = item[1];
          post++;
          time += SECOND;
          say(time, { action: 'pageview', url });
          known.views.push(time);
          say(time + 20 * SECOND, { action: 'heartbeat', url, inc: isRead ? 20 : 5 });
        }
      }
      const pause = random() < 0.2 ? 31 * MINUTE : 5 * MINUTE;
      // In an application some move on in the millisecond in which the list is reported.
      if (number % 5 > 0 || !isShown) time += pause;
      if (random() < 0.3) break;
      url = page('start');
    }
  }
  if (known.variant !== '') readers.push(known);
}

/** Views from the one that first showed the list, in visits that end with half an hour without one. */
function visitsOf({ shownAt, views }: Known): number[][] {
  const visits: number[][] = [[shownAt]];
  for (const view of views.filter((time) => time >= shownAt).sort((one, other) => one - other)) {
    const last = visits.at(-1)!;
    if (view - last.at(-1)! > 30 * MINUTE) visits.push([view]);
    else last.push(view);
  }
  return visits;
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

function countNaively(): VariantCounts[] {
  const counts = VARIANTS.map((): VariantCounts => {
    const sums = Object.fromEntries(RATES.map((name) => [name, { ...NOTHING }])) as VariantCounts['sums'];
    return { readers: 0, sums };
  });
  for (const reader of readers.sort((one, other) => one.shownAt - other.shownAt).slice(0, PLANNED)) {
    const { sums } = counts[VARIANTS.indexOf(reader.variant as 'grid')]!;
    counts[VARIANTS.indexOf(reader.variant as 'grid')]!.readers++;
    const visits = visitsOf(reader);
    addReader(sums.clicks, reader.clicks, reader.lists);
    addReader(sums.quality_clicks, reader.quality, reader.lists);
    addReader(sums.layout_shift, sum(reader.shifts), reader.shifts.length);
    addReader(sums.errors, sum(reader.errors), reader.errors.length);
    addReader(sums.views, visits.flat().length, visits.length);
    addReader(sums.bounces, visits.filter(({ length }) => length === 1).length, visits.length);
  }
  return counts;
}

let room: Newsroom;

async function change(body: object): Promise<unknown> {
  const response = await room.app.request('http://stats.example/v2/experiments', {
    method: 'POST',
    body: JSON.stringify({ apikey: room.site.id, secret: room.writeSecret, ...body }),
  });
  return await response.json();
}

async function asked(name: string): Promise<ExperimentRecord> {
  const { data } = (await room.ask('/experiments', { name })) as unknown as { data: ExperimentRecord[] };
  expect(data).toHaveLength(1);
  return data[0]!;
}

/** Of one day at a time, since readers without an id are those of a day. */
async function send(): Promise<void> {
  for (let day = START - (START % DAY); day < NOW; day += DAY) {
    const ofDay = sent.filter(({ event: { ts } }) => ts >= day && ts < day + DAY);
    room.setNow(Math.min(day + DAY - 1, NOW));
    const addresses = [...new Set(ofDay.map(({ ip }) => ip))];
    await Promise.all(
      addresses.map(async (ip) => {
        const ofReader = ofDay.filter((one) => one.ip === ip);
        for (let at = 0; at < ofReader.length; at += BATCH) {
          const body = JSON.stringify({ events: ofReader.slice(at, at + BATCH).map(({ event }) => event) });
          const from = { incoming: { socket: { remoteAddress: ip } } };
          const headers = { 'User-Agent': BROWSER };
          const response = await room.app.request('/events', { method: 'POST', body, headers }, from);
          expect(response.status).toBe(200);
        }
      }),
    );
  }
}

beforeAll(async () => {
  room = await openNewsroom({ now: START, timezone: 'America/Los_Angeles' });
  expect(await change({ add: { name: 'order', slot: 'end', ...PLAN } })).toMatchObject({ success: true });
  for (let number = 0; number < READERS; number++) read(number);
  await send();
  room.setNow(NOW);
}, 300_000);

afterAll(() => room.close());

describe('an experiment', () => {
  test('is known by the first of its planned readers, and every figure is that of a naive counter', async () => {
    expect(readers.length).toBeGreaterThan(PLANNED);
    const { result, state } = await asked('order');
    expect(state).toBe('running');
    expect(result).toEqual(toResult(PLAN, countNaively(), { now: NOW, isStopped: false }));
    expect(result!.variants.map(({ rates }) => rates.quality_clicks)).not.toContain(0);
    expect(result!.says.at(-1)).toMatch(/stop the experiment/);
  });

  test('ends at its planned readers, with the reason, and its result stays when the reports are gone', async () => {
    const { deps, site } = room;
    const ended = await endDecided(deps, deps.sites.find(site.id)!, NOW);
    expect(ended.map(({ name, endedBy }) => [name, endedBy])).toEqual([['order', 'readers']]);
    expect(await endDecided(deps, deps.sites.find(site.id)!, NOW)).toEqual([]);
    room.setNow(NOW + 100 * DAY);
    const { state, stopped, ended_by, result } = await asked('order');
    expect({ state, stopped, ended_by }).toEqual({
      state: 'stopped',
      stopped: new Date(NOW).toISOString(),
      ended_by: 'readers',
    });
    expect(result).toEqual(toResult(PLAN, countNaively(), { now: NOW, isStopped: true }));
    expect(result!.says.join(' ')).not.toMatch(/stop the experiment|Let it run/);
    room.setNow(NOW);
  });

  test('that was shown to no reader is not decided, and a command ends it', async () => {
    await change({ add: { ...PLAN, name: 'quiet', slot: 'other' } });
    expect((await asked('quiet')).result).toMatchObject({ readers: 0, verdict: 'wait', about: null });
    expect(await endDecided(room.deps, room.deps.sites.find(room.site.id)!, NOW)).toEqual([]);
    expect(await change({ stop: 'quiet' })).toMatchObject({ data: [{ state: 'stopped', ended_by: 'command' }] });
    expect((await asked('quiet')).result!.says.join(' ')).toMatch(/It ended .*, or start a new experiment\.$/);
  });

  test('has two halves of readers who saw the same and do not differ, until one of them is another kind of reader', async () => {
    const { deps, site } = room;
    const halves = await compareHalves(deps.store.traffic, site, NOW);
    expect(halves).toMatchObject({ isKnown: true, differ: [], isUneven: false });
    const known = halves.readers[0]! + halves.readers[1]!;
    expect(known).toBeGreaterThan(PLANNED);
    const { says, state } = examineExperiments([{ site: site.id, ...halves }])[0]!;
    expect({ state, says }).toMatchObject({ state: 'ok', says: expect.stringContaining('do not differ') });
    const sql =
      'SELECT toInt64(min(time)) AS first, cityHash64(visitor) % 2 AS half FROM ledger WHERE shown GROUP BY visitor';
    const rows = await deps.store.traffic.run({ sql, params: { site: site.id } });
    const half = new Set(rows.filter((row) => Number(row.half) === 0).map(({ first }) => Number(first)));
    const list = { list: 'related', slot: 'end', layout: 'list' };
    const clicked = Array<ListItem>(5).fill([1, page('post-0'), 'words']);
    const events = readers
      .filter(({ id, shownAt }) => id !== undefined && half.has(shownAt))
      .map(({ id }) => ({
        ...{ idsite: site.id, action: 'list', url: page('start'), eid: `again-${id}`, ts: NOW },
        ...{ data: { parsely_site_uuid: id }, lists: [{ ...list, clicked }] },
      }));
    expect(events.length).toBeGreaterThan(300);
    for (let at = 0; at < events.length; at += 100) {
      const body = JSON.stringify({ events: events.slice(at, at + 100) });
      const from = { incoming: { socket: { remoteAddress: `203.0.113.${at / 100}` } } };
      await room.app.request('/events', { method: 'POST', body, headers: { 'User-Agent': BROWSER } }, from);
    }
    const other = await compareHalves(deps.store.traffic, site, NOW);
    expect(other).toEqual({ readers: halves.readers, isKnown: true, differ: ['clicks'], isUneven: false });
    const found = examineExperiments([{ site: site.id, ...other }])[0]!;
    expect(found).toMatchObject({ state: 'warning', says: expect.stringContaining('differ: clicks a list.') });
  });

  test('of a site that few readers read is not said to have halves that do not differ', async () => {
    const id = parseSiteId('few.example')!;
    const halves = await compareHalves(room.deps.store.traffic, { ...room.site, id }, NOW);
    expect(halves).toEqual({ readers: [0, 0], isKnown: false, differ: [], isUneven: false });
    const [{ state, says } = {}] = examineExperiments([{ site: id, ...halves }]);
    expect({ state, says }).toEqual({ state: 'ok', says: expect.stringMatching(/^Too few readers .* 0 and 0\.$/) });
  });

  test('that is not there has no record', async () => {
    expect(await room.ask('/experiments', { name: 'none' })).toMatchObject({ success: true, data: [] });
  });
});
