// Random reading sessions as pages report them, and what their lists brought, counted one event after another with no
// table, no sum and no SQL.
import { pick, type Random } from '../../demo/world/random.ts';
import { ITEM_SOURCES } from '../../server/contract/ledger.ts';
import type { IncomingEvent, ListItem, ListReport } from '../../server/contract/wire.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** An event, and who sends it. */
export interface Sent {
  event: IncomingEvent & { ts: number };
  /** Address; readers without an id are known by it, on one day. */
  ip: string;
  reader: string;
  isBot: boolean;
}

export interface World {
  site: string;
  posts: { url: string; section: string }[];
  /** Another address of a post. */
  aliases: Record<string, string>;
  readers: number;
}

/** One reader's visit: pages, their lists, clicks, what was read then. */
export function readSession(world: World, random: Random, start: number, number: number): Sent[] {
  const who = Math.floor(random() * world.readers);
  const hasId = who % 3 !== 0;
  const reader = `reader-${who}`;
  const from = { ip: `198.51.${who >> 8}.${who & 255}`, reader, isBot: random() < 0.04 };
  const segments = who % 5 === 0 ? ['members'] : [];
  const sent: Sent[] = [];
  let moments = 0;
  let time = start;
  const say = (event: Partial<IncomingEvent> & Pick<IncomingEvent, 'action' | 'url'>) => {
    const data = { segments, ...(hasId && { parsely_site_uuid: reader }) };
    // Two moments of a reader are never the same millisecond.
    time += 1;
    sent.push({ ...from, event: { idsite: world.site, eid: `${number}-${moments++}`, ts: time, data, ...event } });
  };
  let page = pick(random, world.posts).url;
  for (let step = 0; step < 4; step++) {
    say({ action: 'pageview', url: `${page}${random() < 0.2 ? '?utm_campaign=spring' : ''}` });
    const seconds = Math.floor(random() * 40);
    if (seconds > 0) {
      time += seconds * SECOND;
      say({ action: 'heartbeat', url: page, inc: seconds });
    }
    const lists = Array.from({ length: 1 + Math.floor(random() * 2) }, (_, at) => drawList(world, random, at));
    say({ action: 'list', url: page, lists });
    const opened = clickSome({ world, random, page, lists, say, wait: (ms) => (time += ms) });
    if (opened === undefined) break;
    page = opened;
  }
  return sent;
}

function drawList({ posts }: World, random: Random, at: number): ListReport {
  const isTop = random() < 0.3;
  const from = Math.floor(random() * posts.length);
  const items = Array.from(
    { length: 5 },
    (_, index): ListItem => [
      index + 1,
      posts[(from + index) % posts.length]!.url,
      isTop ? 'popular' : pick(random, ITEM_SOURCES),
    ],
  );
  return {
    list: isTop ? 'top' : 'related',
    slot: at === 0 ? 'end' : String(at + 1),
    layout: pick(random, ['list', 'grid']),
    ...(random() < 0.4 && { experiment: 'order', variant: pick(random, ['a', 'b']) }),
    shown: true,
    seen: items.slice(0, Math.floor(random() * 6)),
  };
}

interface Clicking {
  world: World;
  random: Random;
  page: string;
  lists: readonly ListReport[];
  say(event: Partial<IncomingEvent> & Pick<IncomingEvent, 'action' | 'url'>): void;
  wait(ms: number): void;
}

/** @returns The page that the reader is on then. */
function clickSome({ world, random, page, lists, say, wait }: Clicking): string | undefined {
  const clickable = lists.filter(({ seen = [] }) => seen.length > 0);
  if (clickable.length === 0 || random() < 0.4) return undefined;
  let opened: string | undefined;
  for (let click = 0; click < 1 + Math.floor(random() * 1.5); click++) {
    const { shown: _, seen = [], ...list } = pick(random, clickable);
    const item = pick(random, seen);
    wait(Math.floor(random() * 3) * SECOND);
    say({ action: 'list', url: page, lists: [{ ...list, clicked: [item] }] });
    opened = item[1];
  }
  // A few pages never open, some open much later, some under another address.
  if (opened === undefined || random() < 0.15) return undefined;
  wait(random() < 0.1 ? 31 * MINUTE : Math.floor(random() * 5) * SECOND);
  return random() < 0.2 ? (world.aliases[opened] ?? opened) : opened;
}

/** As `GET /v2/lists` names them. */
interface NaiveFigures {
  lists: number;
  seen: number;
  clicks: number;
  quality_clicks: number;
  views_caused: number;
  engaged_seconds: number;
}

/** An item or a list of a report, with what is known of its page view. */
export interface Counted {
  sent: Sent;
  list: ListReport;
  /** Undefined: the list itself. */
  item: ListItem | undefined;
}

/**
 * @param groupOf Names of the groups that a list or an item counts for; none: it is not asked for.
 * @param pageOf The address a page counts under.
 */
export function countNaively(
  all: readonly Sent[],
  groupOf: (one: Counted) => readonly string[],
  pageOf: (url: string) => string,
): Map<string, NaiveFigures> {
  const groups = new Map<string, NaiveFigures>();
  const of = (name: string): NaiveFigures => {
    const figures = groups.get(name) ?? {
      ...{ lists: 0, seen: 0, clicks: 0 },
      ...{ quality_clicks: 0, views_caused: 0, engaged_seconds: 0 },
    };
    groups.set(name, figures);
    return figures;
  };
  const people = all.filter(({ isBot }) => !isBot);
  const readers = new Map<string, Sent[]>();
  for (const sent of people) {
    const ofReader = readers.get(sent.reader) ?? [];
    ofReader.push(sent);
    readers.set(sent.reader, ofReader);
  }
  for (const sent of people) {
    for (const list of sent.event.lists ?? []) {
      if (list.shown) for (const name of groupOf({ sent, list, item: undefined })) of(name).lists++;
      for (const item of list.seen ?? []) for (const name of groupOf({ sent, list, item })) of(name).seen++;
      for (const item of list.clicked ?? []) {
        const names = groupOf({ sent, list, item });
        for (const name of names) of(name).clicks++;
        if (names.length === 0) continue;
        const seconds = followed(readers.get(sent.reader)!, sent, pageOf(item[1]), pageOf);
        if (seconds === undefined) continue;
        for (const name of names) {
          of(name).views_caused++;
          of(name).engaged_seconds += seconds;
          if (seconds >= 15) of(name).quality_clicks++;
        }
      }
    }
  }
  return groups;
}

/** Engaged seconds of the view that a click caused; undefined where it caused none. */
function followed(
  ofReader: readonly Sent[],
  click: Sent,
  post: string,
  pageOf: (url: string) => string,
): number | undefined {
  const after = ofReader
    .filter(({ event }) => event.ts > click.event.ts)
    .sort((one, other) => one.event.ts - other.event.ts);
  const isOfPost = ({ event }: Sent) => pageOf(event.url.split('?')[0]!) === post;
  let seconds: number | undefined;
  for (const one of after) {
    const { action, ts, inc = 0, lists = [] } = one.event;
    const isClick = lists.some(({ clicked = [] }) => clicked.some((item) => pageOf(item[1]) === post));
    if (seconds === undefined && isClick) return undefined;
    if (!isOfPost(one)) continue;
    if (action === 'pageview') {
      if (seconds !== undefined) return seconds;
      if (ts > click.event.ts + 30 * MINUTE) return undefined;
      seconds = 0;
    }
    if (action === 'heartbeat' && seconds !== undefined) seconds += inc;
  }
  return seconds;
}
