// Ends the mails to a recipient of a site. The link of a mail opens a page that asks; its button, and the mail programs
// that unsubscribe with one click (RFC 8058), send POST. Nothing here needs JavaScript.
import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { z } from 'zod';
import { door, type Parts } from '../http/endpoint.ts';
import { escapeHtml } from '../http/escapeHtml.ts';
import { last, readQuery } from '../http/query.ts';
import { type MailRecipient, shortened } from '../sites/mail.ts';
import type { Site } from '../sites/site.ts';

const STYLE =
  ':root{color-scheme:light dark;font:17px/1.5 system-ui,sans-serif}body{max-width:34em;margin:12vh auto;padding:0 20px}h1{font-size:1.4em;line-height:1.25}button{font:inherit;font-weight:600;padding:.6em 1.2em;border:0;border-radius:8px;background:#1f4fbf;color:#fff;cursor:pointer}button:focus-visible{outline:3px solid #8fb0ff;outline-offset:2px}';

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
};

const PARAMS = z.object({
  site: z.string().meta({ description: 'Site ID.' }),
  recipient: z.string().meta({ description: 'The recipient, as the link of a mail names it.' }),
  signature: z.string().meta({ description: 'As in the link of a mail: only this server can make it.' }),
});

interface Found {
  site: Site;
  recipient: MailRecipient;
}

/** @returns undefined for a link that this server did not make, or a recipient that is no more. */
async function find(c: Context, { sites, unsubscribing }: Parts): Promise<Found | undefined> {
  const query = readQuery(c.req.url);
  const [id = '', name = '', signature = ''] = ['site', 'recipient', 'signature'].map((one) => last(query, one));
  const site = sites.find(id);
  if (site === undefined || unsubscribing === undefined) return undefined;
  if (!(await unsubscribing.isSigned(site.id, name, signature))) return undefined;
  const recipient = site.mail?.find((one) => one.id === name);
  return recipient && { site, recipient };
}

const page = (c: Context, status: 200 | 404, title: string, body: string): Response =>
  c.html(
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>
${body}
</main></body></html>
`,
    status,
    HEADERS,
  );

const unknown = (c: Context): Response =>
  page(
    c,
    404,
    'This link does not work',
    '<p>It was cut short, or its recipient was removed and gets no mails any more. Where mails still come, ask the operator of this server to remove the address.</p>',
  );

const ended = (c: Context, { site, recipient }: Found): Response =>
  page(
    c,
    200,
    'Unsubscribed',
    `<p>${escapeHtml(shortened(recipient.address))} gets no more mails about ${escapeHtml(site.id)} from this server.</p>`,
  );

export const unsubscribe = {
  ask: door({
    summary: 'Asks whether mails to a recipient shall end.',
    params: PARAMS,
    answers: 'text/html',
    unlisted: true,
    tool: false,
    async handle(c, parts) {
      const found = await find(c, parts);
      if (found === undefined) return unknown(c);
      if (found.recipient.unsubscribedAt !== undefined) return ended(c, found);
      const { site, recipient } = found;
      return page(
        c,
        200,
        'Unsubscribe?',
        `<p>${escapeHtml(shortened(recipient.address))} gets mails about ${escapeHtml(site.id)}: alarms, ended experiments or the morning page.</p>
<form method="post"><button type="submit">Unsubscribe</button></form>`,
      );
    },
  }),

  end: door({
    summary: 'Ends mails to a recipient.',
    params: PARAMS,
    answers: 'text/html',
    unlisted: true,
    async handle(c, parts) {
      const found = await find(c, parts);
      if (found === undefined) return unknown(c);
      if (found.recipient.unsubscribedAt === undefined) await endMails(found, parts);
      return ended(c, found);
    },
  }),
};

async function endMails({ site, recipient }: Found, { sites, log, now }: Parts): Promise<void> {
  await sites.change(site.id, ({ mail = [], ...others }) => ({
    ...others,
    mail: mail.map((one) => (one.id === recipient.id ? { ...one, unsubscribedAt: now() } : one)),
  }));
  log.info({ site: site.id, recipient: recipient.id }, 'a recipient of mails has unsubscribed');
}
