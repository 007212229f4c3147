// /preview: choose a list, see it, copy what a page needs, have a page checked. For publishers, without any secret.
import { z } from 'zod';
import { askLists } from '../checkup/askLists.ts';
import { checkPage, findTag } from '../checkup/checkPage.ts';
import { type Finding, ok } from '../checkup/finding.ts';
import { door, endpoint, type Parts } from '../http/endpoint.ts';
import { addressOf } from '../http/envelope.ts';
import type { OfSite } from '../http/guards.ts';
import { url } from '../http/params.ts';
import { readQuery } from '../http/query.ts';
import { send } from '../http/send.ts';
import type { Site } from '../sites/site.ts';
import { isFinding, TOO_MANY_READS } from './boundedReads.ts';
import { samplePage } from './samplePage.ts';
import { PAGE_HEADERS, SHELL_POLICY, shell } from './shell.ts';

const tag = 'preview';

const form = door({
  summary: 'Choose a list, see it live, copy its snippet.',
  tag,
  params: z.object({}),
  answers: 'text/html',
  handle(c, { sites, settings }) {
    const list = sites.list();
    const server = settings.publicUrl === undefined ? '' : addressOf(c, settings).origin;
    const facts = { server, site: list.length === 1 ? list[0]!.id : '' };
    return c.html(shell(facts), 200, {
      ...PAGE_HEADERS,
      'Content-Security-Policy': SHELL_POLICY,
      'Cache-Control': 'no-cache',
    });
  },
});

const said = (description: string) => z.string().meta({ description }).optional();

const SAMPLE = z.object({
  kind: said('related or top; default related.'),
  scheme: said('light or dark.'),
  lang: said('Language of the page.'),
  accent: said('Colour, as #rrggbb.'),
  radius: said('Corners, in pixels.'),
});

/** Whatever is not understood of its query is left out: the form writes it while its user types. */
const sample = door<typeof SAMPLE, OfSite>({
  summary: 'A sample page with one list: every parameter is an attribute of its slot.',
  tag,
  params: SAMPLE,
  answers: 'text/html',
  handle(c, _, { site }) {
    const { html, policy } = samplePage(site.id, readQuery(c.req.url));
    return c.html(html, 200, { ...PAGE_HEADERS, 'Content-Security-Policy': policy, 'Cache-Control': 'no-store' });
  },
});

const check = endpoint({
  summary: 'Reads a page of a site, and says what keeps lists from showing there.',
  tag,
  params: z.object({ url: url.meta({ description: 'Address of the page.' }) }),
  statuses: TOO_MANY_READS,
  answer: ({ c, site, params }, parts) =>
    parts.pageReads.admitted(c, async () =>
      send(c, {
        data: await findingsOf(site, params.url, { ...parts, server: addressOf(c, parts.settings).origin }),
        success: true,
      }),
    ),
});

async function findingsOf(
  site: Site,
  address: string,
  { pageReads, sites, request, server }: Pick<Parts, 'pageReads' | 'sites' | 'request'> & { server: string },
): Promise<Finding[]> {
  const page = await pageReads.read(site, address, { framed: false });
  if (isFinding(page)) return [page];
  const { fetched, slots } = page;
  const record = { fetched, record: page };
  const against = { site: site.id, knows: (id: string) => sites.find(id) !== undefined, server };
  const lists = await askLists({ site: site.id, slots, tag: findTag(record, server), page: page.url }, async (path) =>
    (await request(path)).json(),
  );
  return [ok('page', `${fetched} answers.`), ...checkPage(record, against), ...lists];
}

export const preview = { form, sample, check };
