// What the view says of events and drops, in sentences.
import {
  type EventKind,
  HARMLESS_DROPS,
  type SetUpDrops,
  type SetUpEvents,
  type SetUpRecord,
} from '../../../server/contract/setUp.ts';

export const KINDS: Readonly<Record<EventKind, string>> = {
  views: 'Views',
  heartbeats: 'Engaged time',
  lists: 'Reports of lists',
  other: 'Shares, videos, conversions',
};

export interface Remedy {
  name: string;
  says: string;
}

const REMEDIES: Readonly<Record<string, Remedy>> = {
  'foreign-host': {
    name: 'The page is on another host',
    says: 'Is HOST yours? Add it: afterword site change SITE --domain HOST. If not, someone copied your tag: nothing is to be done.',
  },
  bot: { name: 'Bots', says: 'Nothing is to be done: figures count readers alone.' },
  'opted-out': { name: 'The reader has opted out', says: 'Nothing is to be done: their wish is kept.' },
  duplicate: {
    name: 'Sent again',
    says: 'Nothing is to be done: it is counted once. Many of them: look for the same event id in all events.',
  },
  'bad-url': {
    name: 'The address is none',
    says: 'Send the full address of the page as url, with http or https; from an app, the canonical URL of the post.',
  },
  'unknown-action': {
    name: 'The action is unknown',
    says: 'Compare the sender’s events with the server’s reference at /docs: their action has another name.',
  },
  'bad-increment': {
    name: 'Engaged seconds are out of bounds',
    says: 'A heartbeat reports the whole seconds since the one before it as inc: compare the sender with /docs.',
  },
  malformed: {
    name: 'The event could not be read',
    says: 'Compare the sender’s events with the server’s reference at /docs: a field is missing, or is of another type.',
  },
  'too-many-urls': {
    name: 'Too many new addresses',
    says: 'The event is stored, its page as “(other)”. Name one address of each page by rel=canonical, without ids of visits in it.',
  },
  'site-rate-limited': {
    name: 'The site sends more than its rate',
    says: 'Senders try again by themselves. If it lasts, ask the operator to raise the limits of events.',
  },
  'rate-limited': {
    name: 'One network sends more than its rate',
    says: 'Behind a proxy all readers may look like one: have the operator set --trusted-proxies.',
  },
  'over-events-quota': {
    name: 'The quota of the day is used up',
    says: 'Ask the operator to raise it: afterword site change SITE --max-events-per-day N.',
  },
};

/**
 * @param drop.host Host of the newest page, where that is the reason.
 * @param site Its Site ID, for the commands.
 */
export function remedyOf({ reason, host }: Pick<SetUpDrops, 'reason' | 'host'>, site: string): Remedy {
  const { name, says } = REMEDIES[reason] ?? { name: reason.replaceAll('-', ' '), says: 'See the server’s log.' };
  return { name, says: says.replaceAll('SITE', () => site).replaceAll('HOST', () => host ?? 'HOST') };
}

export type Verdict = 'works' | 'quiet' | 'refused' | 'silent';

/** What the whole record comes to. */
export function verdictOf({ events, drops }: SetUpRecord): { is: Verdict; says: string } {
  const views = countOf(events, 'views');
  const refused = drops.some(({ reason }) => !HARMLESS_DROPS.includes(reason));
  if (views > 0 && countOf(events, 'heartbeats') === 0)
    return {
      is: 'works',
      says: 'Views come in, without engaged time yet: it follows when a reader stays for some seconds.',
    };
  if (views > 0) return { is: 'works', says: 'Your tag works: views and engaged time come in.' };
  if (refused)
    return { is: 'refused', says: 'Your tag sends, but nothing is stored: the reasons below say what to do.' };
  if (events.some(({ last }) => last !== null))
    return {
      is: 'quiet',
      says: 'Nothing in the last minutes, but events came earlier. Open a page of your site: it appears here within seconds.',
    };
  return {
    is: 'silent',
    says: 'Nothing has come from your site within two days. Paste the tag below into the head of every page, and open one.',
  };
}

/** Whether pages show lists. */
export function listsOf({ events }: SetUpRecord): string {
  const lists = events.find(({ kind }) => kind === 'lists');
  if (lists === undefined || lists.last === null)
    return 'No page has reported a list within two days. Put the slot below where a list is to stand; it reports when it has been drawn.';
  return lists.count > 0 ? 'Pages show lists.' : 'Pages have shown lists within two days, none in the last minutes.';
}

const countOf = (events: readonly SetUpEvents[], kind: EventKind) =>
  events.find((one) => one.kind === kind)?.count ?? 0;
