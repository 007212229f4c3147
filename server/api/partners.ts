// GET and POST /api/{partner}/settings/apikeys: a partner lists the sites it has made, and makes one for a customer. A site works
// as soon as it is answered.
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { Deps } from '../context.ts';
import { secretOf } from '../http/auth.ts';
import { BadParameters, Forbidden } from '../http/errors.ts';
import { cors } from '../http/headers.ts';
import { jsonp } from '../http/jsonp.ts';
import { readQuery } from '../http/query.ts';
import { type Bodies, createBodies } from '../http/readBody.ts';
import { send } from '../http/send.ts';
import { SiteExistsError } from '../sites/directory.ts';
import { makeSite } from '../sites/newSite.ts';
import { parseTimezone } from '../sites/parseSite.ts';
import type { Partner } from '../sites/partner.ts';
import { verifySecret } from '../sites/secrets.ts';
import { parseSiteId, type Site, type SiteId } from '../sites/site.ts';

type PartnersDeps = Pick<Deps, 'now' | 'sites' | 'partners'> & { store: Pick<Deps['store'], 'partners'> };

const PATH = '/api/:partner/settings/apikeys';
const MAX_BODY_BYTES = 64 * 1024;

/** `admin`, `users` and `tracker_features` may come too; nothing here depends on them. */
const wish = z.object({ apikey: z.string(), timezone: z.string().optional() });

export function partners(deps: PartnersDeps, bodies: Bodies = createBodies()): Hono {
  const { now, sites, store } = deps;
  const app = new Hono();
  app.use(PATH, cors, jsonp);

  app.get(PATH, async (c) => {
    const { name } = requirePartner(deps, c);
    const data = (await store.partners.sites(name)).flatMap(({ site: id, firstDay }) => {
      const site = sites.find(id);
      return site === undefined ? [] : [toRecord(site, firstDay)];
    });
    return send(c, { data, success: true });
  });

  app.post(PATH, async (c) => {
    const { name } = requirePartner(deps, c);
    const { id, timezone } = await bodies.read(c.req.raw, { max: MAX_BODY_BYTES }, readWish);
    const { site, secrets } = makeSite(id, { now: now(), timezone });
    await sites.add(site).catch(refuseTwins);
    try {
      await store.partners.own(name, id, now());
    } catch (error) {
      // Nobody would ever learn the secrets of this site.
      await sites.remove(id);
      throw error;
    }
    return send(c, { data: [{ ...toRecord(site, null), ...secrets }], success: true });
  });

  return app;
}

/** An unknown partner costs the same time as a wrong secret, and is answered the same. */
function requirePartner({ partners }: PartnersDeps, c: Context): Partner {
  const partner = partners.find(c.req.param('partner') ?? '');
  const allowed = verifySecret(secretOf(c, readQuery(c.req.url)), partner?.secretHash);
  if (partner === undefined || !allowed) throw new Forbidden();
  return partner;
}

async function readWish(text: string): Promise<{ id: SiteId; timezone: string }> {
  const wanted = wish.safeParse(parseJson(text));
  if (!wanted.success) {
    const names = new Set(wanted.error.issues.map(({ path }) => String(path[0] ?? 'body')));
    throw new BadParameters(Object.fromEntries([...names].map((name) => [name, [SENTENCES[name] ?? SENTENCES.body!]])));
  }
  const id = parseSiteId(wanted.data.apikey);
  const timezone = parseTimezone(wanted.data.timezone || 'UTC');
  if (id === undefined || timezone === undefined) {
    throw new BadParameters({
      ...(id === undefined && { apikey: [SENTENCES.apikey!] }),
      ...(timezone === undefined && { timezone: [SENTENCES.timezone!] }),
    });
  }
  return { id, timezone };
}

const SENTENCES: Record<string, string> = {
  apikey: 'Give a Site ID that looks like a domain, such as example.com.',
  timezone: 'Give an IANA name such as Europe/Madrid or UTC.',
  body: 'Send a JSON object with apikey.',
};

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new BadParameters({ body: ['Send well-formed JSON.'] });
    throw error;
  }
}

function refuseTwins(error: unknown): never {
  if (error instanceof SiteExistsError) throw new BadParameters({ apikey: ['There is a site of this name already.'] });
  throw error;
}

/** Making a site is signing up and registering in one. */
function toRecord({ id, timezone, createdAt }: Site, firstDay: string | null) {
  const made = new Date(createdAt).toISOString().slice(0, 19);
  return { apikey: id, timezone, registration_date: made, signup_date: made, track_start_date: firstDay };
}
