// POST /v2/metadata/{posts,videos}: a publisher says what a post is. Needs the site's write secret; its read secret is refused.
//
//   v2.route('/', metadata(deps));
import { Hono } from 'hono';
import { SITE_ID_PARAMS } from '../contract/limits.ts';
import type { Deps } from '../deps.ts';
import type { HttpEnv } from '../http/auth.ts';
import { BadParameters, Forbidden } from '../http/errors.ts';
import { last, type Query, readQuery } from '../http/query.ts';
import { readBody } from '../http/readBody.ts';
import { send } from '../http/send.ts';
import { parseMetadata } from '../posts/parseMetadata.ts';
import { opens } from '../sites/secrets.ts';
import type { Site } from '../sites/site.ts';

/** Room for the longest text a post may have, with a hundred tags and a thousand aliases. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

type Fields = ReadonlyMap<string, unknown>;

export function metadata(deps: Pick<Deps, 'sites' | 'library' | 'now'>): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();

  app.post('/metadata/:kind{(?:posts|videos)}', async (c) => {
    const body = await readFields(c.req.raw);
    const site = requireWriteSecret(deps, body, readQuery(c.req.url));
    const parsed = parseMetadata(body.get('metadata'), c.req.param('kind') === 'videos' ? 'videos' : 'posts');
    if (!parsed.ok) throw new BadParameters(parsed.errors);
    const { url, aliases, patch } = parsed.said;
    await deps.library.write(site.id, url, { patch, aliases });
    return send(c, { data: [], success: true });
  });

  return app;
}

/** Unknown site, missing secret, read secret: all one answer. */
function requireWriteSecret(deps: Pick<Deps, 'sites' | 'now'>, body: Fields, query: Query): Site {
  const either = (name: string): string | undefined => {
    const inBody = body.get(name);
    return typeof inBody === 'string' && inBody !== '' ? inBody : last(query, name);
  };
  const id = SITE_ID_PARAMS.map(either).find((value) => value !== undefined);
  const site = id === undefined ? undefined : deps.sites.find(id);
  const allowed = opens(either('secret'), { site, kind: 'write', now: deps.now() });
  if (site === undefined || !allowed) throw new Forbidden();
  return site;
}

/** The body's own fields. A map, because `__proto__` may be a name too. */
async function readFields(request: Request): Promise<Fields> {
  const type = request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') refuse('content-type', 'Send the body as application/json.');
  const text = await readBody(request, MAX_BODY_BYTES);
  if (text === undefined) refuse('body', `Send at most ${MAX_BODY_BYTES} bytes.`);
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    refuse('body', 'Send a JSON object with apikey, secret and metadata.');
  }
  return new Map(Object.entries(value));
}

function refuse(name: string, sentence: string): never {
  throw new BadParameters({ [name]: [sentence] });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) refuse('body', 'Send well-formed JSON.');
    throw error;
  }
}
