// Visits as the events a server would have stored for them.
import type { Experiment } from '../../server/experiments/experiment.ts';
import { blankRow, type EventRow } from '../../server/ingest/eventRow.ts';
import type { SiteId } from '../../server/sites/site.ts';
import { addDays, startOfDay } from '../../server/traffic/zone.ts';
import { PAPER_ZONE } from '../edition.ts';
import { dayOf } from './calendar.ts';
import { type FilmWorld, filmViews } from './filmViews.ts';
import { listEvents } from './lists.ts';
import { hash32, pickWeighted, seeded } from './random.ts';
import type { Session, View, World } from './sessions.ts';

export interface EventSettings {
  site: SiteId;
  /** Origin of the paper's URLs. */
  origin: string;
  /** Films that are watched beside; absent: none. */
  films?: FilmWorld | undefined;
  /** Which lists are drawn in variants; absent: none. */
  experiment?: Experiment | undefined;
}

const NETWORKS = { fb: 40, li: 38, tw: 16, pi: 6 };
const SHARES = 0.004;
const SIGNUPS = 0.0025;

/** The events of one local day, those after `from` and up to `to` (epoch milliseconds), in order of time. */
export interface DayOfEvents {
  day: string;
  from: number;
  to: number;
  rows: EventRow[];
}

/** What happened after `from` and up to `to`, a local day at a time. */
export function* eventsBetween(
  world: World,
  settings: EventSettings & { from: number; to: number },
): Generator<DayOfEvents> {
  const { from, to } = settings;
  let late = eventsOf(world, addDays(dayOf(from, PAPER_ZONE), -1), settings);
  for (let day = dayOf(from, PAPER_ZONE); day <= dayOf(to, PAPER_ZONE); day = addDays(day, 1)) {
    const begin = Math.max(from, startOfDay(day, PAPER_ZONE) - 1);
    const end = Math.min(to, startOfDay(addDays(day, 1), PAPER_ZONE) - 1);
    const today = [...late, ...eventsOf(world, day, settings)];
    const rows = today.filter(({ time }) => time > begin && time <= end).sort((a, b) => a.time - b.time);
    late = today.filter(({ time }) => time > end);
    yield { day, from: begin, to: end, rows };
  }
}

function eventsOf(world: World, day: string, settings: EventSettings): EventRow[] {
  const { films, site, origin } = settings;
  const read = world.sessionsOf(day).flatMap((session) =>
    session.views.flatMap((view, index) => {
      const [before, next] = [session.views[index - 1], session.views[index + 1]];
      return viewEvents(view, { world, session, before, next, settings });
    }),
  );
  if (films === undefined) return read;
  return [...read, ...filmViews(films, { day, blank: blankRow(site), page: ({ slug }) => filmUrl(slug, origin) })];
}

interface Place {
  world: World;
  session: Session;
  /** The view whose link was followed; undefined for the first. */
  before: View | undefined;
  /** The view after it; undefined for the last. */
  next: View | undefined;
  settings: EventSettings;
}

function viewEvents(view: View, place: Place): EventRow[] {
  const { settings, session, world, next } = place;
  const seen = pageView(view, place);
  const later = view.time + Math.max(1, view.seconds) * 1000;
  const rows = [seen];
  if (view.seconds > 0)
    rows.push({ ...seen, action: 'heartbeat', time: later, day: dayOf(later, PAPER_ZONE), seconds: view.seconds });
  const random = seeded('after', session.reader.visitor, view.time);
  if (view.article && random() < SHARES)
    rows.push({ ...seen, action: 'share', network: pickWeighted(random, NETWORKS) });
  if (random() < SIGNUPS) {
    rows.push({
      ...seen,
      action: 'conversion',
      conversionType: 'newsletter_signup',
      conversionLabel: 'morning-lantern',
    });
  }
  const urlOf = ({ slug }: { slug: string }) => pageUrl(slug, settings.origin);
  rows.push(...listEvents(world, { view, next, row: seen, urlOf, experiment: settings.experiment }));
  return rows.map((row) => ({ ...row, site: settings.site }));
}

function pageView({ article, time }: View, { session: { reader, arrival }, before, settings }: Place): EventRow {
  const { site, origin } = settings;
  return {
    ...blankRow(site),
    time,
    day: dayOf(time, PAPER_ZONE),
    url: pageUrl(article?.slug, origin),
    visitor: reader.visitor,
    referrerType: before ? 'internal' : arrival.from.category,
    referrer: before ? new URL(origin).hostname : arrival.from.name,
    referrerHost: before ? new URL(origin).hostname : arrival.from.host,
    referrerUrl: before ? pageUrl(before.article?.slug, origin) : '',
    campaignId: before ? '' : arrival.campaign.id,
    campaignMedium: before ? '' : arrival.campaign.medium,
    campaignSource: before ? '' : arrival.campaign.source,
    device: reader.device,
    segments: [...reader.segments],
  };
}

/** Canonical URL of an article, or of the front page. */
export function pageUrl(slug: string | undefined, origin: string): string {
  return slug === undefined ? `${origin}/` : `${origin}/article/${slug}`;
}

/** Canonical URL of a film's page, which is the film's own. */
export const filmUrl = (slug: string, origin: string): string => `${origin}/watch/${slug}`;

/** Names a batch so that writing it twice counts it once. */
export function batchToken({
  site,
  seed,
  from,
  to,
  part,
}: {
  site: SiteId;
  seed: string;
  from: number;
  to: number;
  part: number;
}): string {
  return `demo-${site}-${hash32(seed).toString(36)}-${from}-${to}-${part}`;
}
