// The page of the preview: an empty room for its application, which the build makes from widget/preview/. Its addresses
// are relative: a proxy may put the server below a prefix.
import { escapeHtml } from '../http/escapeHtml.ts';

export const PAGE_HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' };

/** Everything it loads is ours; its frames are the sample page. */
export const SHELL_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "frame-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface ShellFacts {
  /** Address readers reach this server at, without a slash at the end; "" where the address of the page says it. */
  server: string;
  /** Site ID the form begins with; "" when there are several sites, whose names are private. */
  site: string;
}

export function shell({ server, site }: ShellFacts): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Preview: Afterword</title><meta name="description" content="Choose a list, see it on phone and desktop, copy the snippet, check a page.">
<link rel="icon" href="data:,"><link rel="stylesheet" href="preview/app.css"></head>
<body><div id="app" data-server="${escapeHtml(server)}" data-site="${escapeHtml(site)}"><noscript><p>The preview needs JavaScript. The lists themselves can do without: see the reference at <a href="docs">/docs</a>.</p></noscript></div>
<script type="module" src="preview/app.js"></script></body></html>`;
}
