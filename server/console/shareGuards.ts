// Guards of links to one view of the console: the link of the request's cookie, which a middleware reads before them.
import type { Context, MiddlewareHandler } from 'hono';
import type { HttpEnv } from '../http/auth.ts';
import { Forbidden } from '../http/errors.ts';
import type { Guard, OfSite } from '../http/guards.ts';
import { sessionIdOf } from './cookie.ts';
import { mayAsk } from './scope.ts';
import type { Share, Shares } from './shares.ts';

/** The folder of a link, by its id: a browser sends the cookie of a link to its own folder alone. */
export const SHARE_PATH = '/console/share/:share';
export const SHARE_API = `${SHARE_PATH}/api`;

export interface OfShare extends OfSite {
  share: Share;
}

/** Reads the link of the request, where it has a valid one. */
export const readShare =
  ({ shares }: { shares: Shares }): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const cookie = sessionIdOf(c, 'afterword_share');
    const share = cookie === undefined ? undefined : await shares.find(cookie);
    if (share !== undefined) c.set('share', share);
    await next();
  };

/** Requires the link whose folder is asked. */
export const ofItsShare: Guard<OfShare> = {
  security: [],
  says: 'Needs a link to a view of the console.',
  admit: ({ c }) => admitted(c),
};

/**
 * As `ofItsShare`, for a question that the view of the link asks, with its filters and its period.
 * @param path Of the question, such as `/v2/analytics/posts`.
 */
export const ofShare = (path: string): Guard<OfShare> => ({
  ...ofItsShare,
  admit({ c, query }, { now }) {
    const who = admitted(c);
    const { share, site } = who;
    if (!mayAsk({ path, query }, { search: share.search, timezone: site.timezone, now: now() })) throw new Forbidden();
    return who;
  },
});

function admitted(c: Context<HttpEnv>): OfShare {
  const share = c.get('share');
  if (share === undefined || share.id !== c.req.param('share')) throw new Forbidden();
  return { share, site: share.site };
}
