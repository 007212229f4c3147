// /console/shares: makes, lists and revokes links to one view, for a session. /console/share/:share/session: a page
// that was opened by a link hands in the link's secret.
import { z } from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { BadParameters, Forbidden } from '../http/errors.ts';
import { send } from '../http/send.ts';
import { zoneName } from '../sites/zoneName.ts';
import type { SharedView } from '../storage/sharedViews.ts';
import { cookieFor, isSecure } from './cookie.ts';
import type { OfSession } from './guards.ts';
import { toSharedSearch } from './scope.ts';
import { refuseOtherOrigins, takeAttempt } from './session.ts';
import type { OfShare } from './shareGuards.ts';
import { MAX_SHARES, type Share } from './shares.ts';

const NONE = z.object({});
const MAX_NAME = 80;
const MAX_DAYS = 365;
/** Characters: far more than the filters of an address need. */
const MAX_SEARCH = 8_192;

const DAYS = `Give a whole number of days from 1 to ${MAX_DAYS}.`;
const NAME = `Give a name of 1 to ${MAX_NAME} characters, so that you know it again.`;

const INPUT = z.object({
  name: z
    .string(NAME)
    .trim()
    .min(1, NAME)
    .max(MAX_NAME, NAME)
    // Halves of surrogate pairs would be stored as U+FFFD.
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'Give a name without control characters.'),
  days: z.int(DAYS).min(1, DAYS).max(MAX_DAYS, DAYS),
  search: z.string('Give the query of the address that is shared.').max(MAX_SEARCH, 'The address is too long.'),
});

const ADDRESS = 'The address of the link is not whole.';
const TOKEN = z.object({ token: z.string(ADDRESS).regex(/^[\w-]{43}$/, ADDRESS) });

const toRecord = ({ id, name, search, createdAt, until }: SharedView | Share) => ({
  id,
  name,
  search,
  created: new Date(createdAt).toISOString(),
  until: new Date(until).toISOString(),
});

const list = endpoint<typeof NONE, OfSession>({
  summary: 'Links to views of the console that are valid now.',
  params: NONE,
  unlisted: true,
  answer: async ({ c, site }, { shares }) => send(c, { data: (await shares.list(site)).map(toRecord), success: true }),
});

const make = endpoint<typeof NONE, OfSession, z.output<typeof INPUT>>({
  summary: 'Makes a link to a view of the console.',
  params: NONE,
  unlisted: true,
  body: {
    schema: INPUT,
    example: { name: 'For the board', days: 30, search: '?period=28d' },
    limits: { max: 16_384, type: 'application/json', sentence: 'Send a JSON object with name, days and search.' },
  },
  async answer({ c, session, body }, { shares }) {
    const search = toSharedSearch(body.search);
    if (search === undefined) throw new BadParameters({ search: ['A link can show Now, the wall and Traffic.'] });
    const made = await shares.make(session, { ...body, search });
    if (made === undefined)
      throw new BadParameters({ name: [`The site has ${MAX_SHARES} links. Revoke one that is no longer needed.`] });
    // The fragment of an address is sent to no server: neither with the request nor as a referrer.
    return send(c, { data: { ...toRecord(made), path: `share/${made.id}/#${made.token}` }, success: true });
  },
});

const revoke = endpoint<typeof NONE, OfSession>({
  summary: 'Ends a link to a view of the console.',
  params: NONE,
  unlisted: true,
  async answer({ c, site }, { shares }) {
    const isRevoked = await shares.revoke(site, c.req.param('share') ?? '');
    return isRevoked ? send(c, { data: [], success: true }) : c.notFound();
  },
});

/** What the page of a link is given. */
const toPageRecord = ({ site, name, search, until }: Share, now: number) => ({
  site: site.id,
  timezone: zoneName(site.timezone),
  role: 'read',
  until: new Date(until).toISOString(),
  now: new Date(now).toISOString(),
  token: '',
  shared: { name, search },
});

const open = endpoint<typeof NONE, object, z.output<typeof TOKEN>>({
  summary: 'Opens a link to a view of the console.',
  params: NONE,
  unlisted: true,
  body: {
    schema: TOKEN,
    example: { token: 'what stands after the # of the address' },
    limits: { max: 1024, type: 'application/json', sentence: 'Send a JSON object with token.' },
  },
  async answer({ c, body, now }, parts) {
    refuseOtherOrigins(c);
    const giveBack = takeAttempt(c, parts);
    const cookie = parts.shares.cookieOf(body.token);
    const share = await parts.shares.find(cookie);
    if (share === undefined || share.id !== c.req.param('share')) throw new Forbidden();
    giveBack();
    const of = { name: 'afterword_share', lasts: share.until - now, secure: isSecure(c, parts.settings) } as const;
    c.header('Set-Cookie', cookieFor(cookie, of));
    return send(c, { data: toPageRecord(share, now), success: true });
  },
});

const state = endpoint<typeof NONE, OfShare>({
  summary: 'What a link to a view of the console shows.',
  params: NONE,
  unlisted: true,
  answer: async ({ c, share, now }) => send(c, { data: toPageRecord(share, now), success: true }),
});

export const shareLinks = { list, make, revoke, open, state };
