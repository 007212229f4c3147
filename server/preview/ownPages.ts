// /preview/own: a page of the site with a list in it, and why there is none.
import type { Context } from 'hono';
import { z } from 'zod';
import { type Finding, ok } from '../checkup/finding.ts';
import { endpoint, type Parts } from '../http/endpoint.ts';
import { addressOf } from '../http/envelope.ts';
import { url } from '../http/params.ts';
import { type Query, readQuery } from '../http/query.ts';
import { send } from '../http/send.ts';
import type { FramedPage } from '../posts/readPage/framePage.ts';
import type { Site } from '../sites/site.ts';
import { isFinding, TOO_MANY_READS } from './boundedReads.ts';
import { excuse, excuseFor, fragmentPath, OWN_PAGE_POLICY, ownPage, SENTENCES } from './ownPage.ts';
import { PAGE_HEADERS } from './shell.ts';

const KINDS = ['related', 'top'] as const;

const OWN = {
  url: url.meta({ description: 'Address of the page.' }),
  kind: z.enum(KINDS).meta({ description: 'Kind of the list.' }).default('related'),
};

const HEADERS = {
  ...PAGE_HEADERS,
  'Content-Security-Policy': OWN_PAGE_POLICY,
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
};

/** For a reader of the frame, where clients are answered JSON. */
const BUSY = 'Too many pages are being read. Change something, or load the preview anew, in ten seconds.';

const state = endpoint({
  summary: 'Reads a page of a site to show a list in, and says where the list stands, or why the page cannot be shown.',
  tag: 'preview',
  params: z.object(OWN),
  statuses: TOO_MANY_READS,
  answer: ({ c, site, params }, parts) =>
    parts.pageReads.admitted(c, async () => {
      const read = await readOwn(parts, site, params.url);
      const data = isFinding(read)
        ? read
        : ok('page', `Shown without its scripts; the list stands ${SENTENCES[read.places[params.kind].is]}.`);
      return send(c, { data, success: true });
    }),
});

const page = endpoint({
  summary: 'That page with the list in it, sandboxed and without scripts; other parameters as for /fragment.',
  tag: 'preview',
  params: z.object({
    ...OWN,
    post: z.string().meta({ description: 'Post a related list is for; default the page.' }).optional(),
  }),
  answers: 'text/html',
  statuses: TOO_MANY_READS,
  async answer(ask, parts) {
    const { c, site, params } = ask;
    const known = parts.frames.get(site.id, params.url);
    if (known !== undefined) return await frame(parts, known, ask);
    const answer = await parts.pageReads.admitted(c, async () => {
      const read = await readOwn(parts, site, params.url);
      return isFinding(read) ? c.html(excuse(read.says), 200, HEADERS) : await frame(parts, read, ask);
    });
    return answer.status === 429 ? c.html(excuse(BUSY), 429, HEADERS) : answer;
  },
});

async function readOwn(
  { pageReads, frames }: Pick<Parts, 'pageReads' | 'frames'>,
  site: Site,
  address: string,
): Promise<FramedPage | Finding> {
  const read = await pageReads.read(site, address, { framed: true });
  if (isFinding(read)) return read;
  // The reader was asked for it.
  const framed = read.frame!;
  frames.set(site.id, address, framed);
  return framed;
}

interface Framing {
  c: Context;
  site: Site;
  params: { kind: (typeof KINDS)[number] };
}

async function frame(
  { settings, request }: Pick<Parts, 'settings' | 'request'>,
  framed: FramedPage,
  { c, site, params: { kind } }: Framing,
): Promise<Response> {
  const query: Query = readQuery(c.req.url);
  // Pictures may be of this server, on the host it was asked on.
  const answer = await request(
    new URL(fragmentPath(site.id, kind, query, framed.language), addressOf(c, settings)).href,
  );
  const body = await answer.text();
  const list = answer.ok ? body : excuseFor(answer.status, body);
  const shown = list.includes('<li') || !answer.ok ? list : excuse('The list has no post now.');
  return c.html(ownPage(framed, kind, shown, query), 200, HEADERS);
}

export const ownPages = { state, page };
