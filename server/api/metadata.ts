// POST /v2/metadata/{posts,videos}: a publisher says what a post is. Needs the site's write secret; its read secret is refused.
//
//   v2.route('/', metadata(deps));
import { type Context, Hono } from 'hono';
import type { Deps } from '../context.ts';
import { SITE_ID_PARAMS } from '../contract/limits.ts';
import { type HttpEnv, secretOf } from '../http/auth.ts';
import { BadParameters, Forbidden } from '../http/errors.ts';
import { last, type Query, readQuery } from '../http/query.ts';
import { type Bodies, createBodies } from '../http/readBody.ts';
import { send } from '../http/send.ts';
import { isWithin, outerTexts } from '../posts/jsonBounds.ts';
import { parseMetadata } from '../posts/parseMetadata.ts';
import { opens } from '../sites/secrets.ts';
import type { Site } from '../sites/site.ts';
import { PostQuotaError } from '../sites/siteQuotas.ts';

/** Room for the longest text a post may have, with a hundred tags and a thousand aliases. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Read of a body before the secret is verified: clients name it first. A whole article without its secret is a tenth of it. */
const UNVERIFIED_BYTES = 1024 * 1024;

/** Characters of a body that is parsed without its secret, to say that it is malformed. */
const SMALL = 64 * 1024;

/** Room for a thousand aliases and the largest custom metadata, whatever that is made of. */
const BODY_BOUNDS = { depth: 64, values: 20_000 };

export function metadata(
  deps: Pick<Deps, 'sites' | 'library' | 'now'>,
  bodies: Bodies = createBodies(),
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();

  app.post('/metadata/:kind{(?:posts|videos)}', async (c) => {
    requireJson(c.req.raw);
    const query = readQuery(c.req.url);
    const limits = {
      max: MAX_BODY_BYTES,
      first: UNVERIFIED_BYTES,
      requireMore: (beginning: string) => void requireWriteSecret(deps, c, { body: beginning, query }),
    };
    return await bodies.read(c.req.raw, limits, async (text) => {
      requireObject(text);
      const site = requireWriteSecret(deps, c, { body: text, query });
      const kind = c.req.param('kind') === 'videos' ? 'videos' : 'posts';
      const said = parseMetadata(readMetadata(text), { kind, entities: true });
      if (!said.ok) throw new BadParameters(said.errors);
      const { url, aliases, patch } = said.said;
      await deps.library.write(site.id, url, { patch, aliases }).catch((error: unknown) => {
        if (error instanceof PostQuotaError) refuse('url', error.message);
        throw error;
      });
      return send(c, { data: [], success: true });
    });
  });

  return app;
}

/**
 * Verified before the body is parsed. Unknown site, missing secret, read secret: all one answer.
 * @param of.body As JSON, or its beginning: what stands behind the first megabyte of a larger body is not found.
 */
function requireWriteSecret(
  deps: Pick<Deps, 'sites' | 'now'>,
  c: Context<HttpEnv>,
  { body, query }: { body: string; query: Query },
): Site {
  const texts = outerTexts(body.slice(0, UNVERIFIED_BYTES), [...SITE_ID_PARAMS, 'secret']);
  const either = (name: string): string | undefined => texts.get(name) || last(query, name);
  const id = SITE_ID_PARAMS.map(either).find((value) => value !== undefined);
  const site = id === undefined ? undefined : deps.sites.find(id);
  const allowed = opens(texts.get('secret') || secretOf(c, query), { site, kind: 'write', now: deps.now() });
  if (site === undefined || !allowed) throw new Forbidden();
  return site;
}

function requireJson(request: Request): void {
  const type = request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') refuse('content-type', 'Send the body as application/json.');
}

/** What is said of a body without its secret: cheap to find out. */
function requireObject(text: string): void {
  if (text.length <= SMALL && isWithin(text, BODY_BOUNDS)) parseJson(text);
  if (!text.trimStart().startsWith('{')) refuse('body', 'Send a JSON object with apikey, secret and metadata.');
}

/** The body's own field: `__proto__` may be a name too. */
function readMetadata(text: string): unknown {
  if (!isWithin(text, BODY_BOUNDS)) {
    refuse('body', `Send at most ${BODY_BOUNDS.values} values, ${BODY_BOUNDS.depth} levels deep.`);
  }
  const body = parseJson(text);
  return Object.hasOwn(body, 'metadata') ? body.metadata : undefined;
}

function refuse(name: string, sentence: string): never {
  throw new BadParameters({ [name]: [sentence] });
}

function parseJson(text: string): { metadata?: unknown } {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) refuse('body', 'Send well-formed JSON.');
    throw error;
  }
}
