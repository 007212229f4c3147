// The page of the console: an empty document for its application, which the build makes from widget/console/. All
// addresses in it are relative, so that it works below the path prefix of a proxy.
import type { Context } from 'hono';
import { z } from 'zod';
import { door, type Parts } from '../http/endpoint.ts';
import { escapeHtml } from '../http/escapeHtml.ts';

const NONE = z.object({});

/** Everything it loads, asks and shows in frames is of this server; nothing may frame it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of every page of the console. */
export const PAGE_HEADERS = {
  'Content-Security-Policy': POLICY,
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
};

/**
 * Beginning of every page of the console, up to its body.
 * @param root Relative address of the console's folder.
 */
export const headOf = (root: string, title: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title}: Afterword</title>
<link rel="icon" href="${root}icon.svg" type="image/svg+xml"><link rel="stylesheet" href="${root}app.css"></head>`;

/**
 * @param root Relative address of the console's folder.
 * @param app Attributes that say what the page is for.
 */
const toHtml = (root: string, app = ''): string => `${headOf(root, 'Console')}
<body><div id="app"${app}><noscript><p>The console needs JavaScript. The same figures are in the API.</p></noscript></div>
<script type="module" src="${root}app.js"></script></body></html>`;

const SHARED_HTML = toHtml('../../', ' data-shared');

/**
 * Attributes of a page that one signs in to: the address that readers reach the server at, where it is configured, and
 * the name of the OpenID Connect provider.
 */
function factsOf({ settings: { publicUrl, oidc } }: Parts): string {
  const facts = { server: publicUrl && new URL(publicUrl).origin, oidc: oidc?.name };
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  return known.map(([name, value]) => ` data-${name}="${escapeHtml(value!)}"`).join('');
}

/** Three bars, the last of them the tallest. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f4fbf"/><path d="M8 24v-6m8 6V14m8 10V8" stroke="#fff" stroke-width="4" stroke-linecap="round"/></svg>`;

const page = door({
  summary: 'The console of a newsroom.',
  params: NONE,
  answers: 'text/html',
  unlisted: true,
  handle: (c, parts) => answer(c, toHtml('', factsOf(parts))),
});

/** The same for every link, also for one that does not exist: the page itself asks whether its link is valid. */
const shared = door({
  summary: 'One view of the console, for who has a link to it.',
  params: NONE,
  answers: 'text/html',
  unlisted: true,
  handle: (c) => answer(c, SHARED_HTML),
});

/** The same for every site, also for one that does not exist: the page itself asks whether there is a session. */
const ofSite = door({
  summary: 'The console of one site, for the operator.',
  params: NONE,
  answers: 'text/html',
  unlisted: true,
  handle: (c, parts) => answer(c, toHtml('../../', ` data-root="../../"${factsOf(parts)}`)),
});

function answer(c: Context, html: string): Response | Promise<Response> {
  // The framework's path has no slash at its end.
  const { pathname, search } = new URL(c.req.url);
  if (pathname.endsWith('/')) return c.html(html, 200, PAGE_HEADERS);
  // Relative addresses begin at the folder. So does this one: the prefix of a proxy is not known here.
  return c.body(null, 302, { ...PAGE_HEADERS, Location: `./${pathname.split('/').at(-1)}/${search}` });
}

const icon = door({
  summary: 'The picture of the console in a tab.',
  params: NONE,
  unlisted: true,
  handle: (c) =>
    c.body(ICON, 200, {
      'Content-Type': 'image/svg+xml',
      'Cache-Control': 'public, max-age=86400',
      'X-Content-Type-Options': 'nosniff',
    }),
});

export const consolePage = { page, shared, ofSite, icon };
