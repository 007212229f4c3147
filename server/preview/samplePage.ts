// A page with nothing but the tag and one slot, as a publisher would paste them: what the preview shows in its frames.
// Whatever the query says becomes an attribute's text or a checked colour, never markup and never a script's address.
import { createHash } from 'node:crypto';
import { ATTRIBUTES } from '../contract/attributes.ts';
import { directionOf } from '../contract/direction.ts';
import { escapeHtml } from '../http/escapeHtml.ts';
import { last, type Query } from '../http/query.ts';
import { parseUrl } from '../posts/parseUrl.ts';

export interface SamplePage {
  html: string;
  /** Content-Security-Policy under which it works. */
  policy: string;
}

const ATTRIBUTE = /^[a-z]+(?:[-_][a-z]+){0,4}$/;
const MAX_ATTRIBUTES = 40;
const MAX_VALUE = 500;
const MAX_ADDRESS = 2_000;
/** Said of the page or the tag, not of the slot. */
const OF_PAGE = new Set(['apikey', 'kind', 'scheme', 'accent', 'radius', 'font', 'lang', 'place', 'css']);
/** The preview counts no view and uses no profile. */
const NOT_HERE = new Set([
  ...ATTRIBUTES.flatMap((attribute) => ('on' in attribute ? [attribute.name] : [])),
  'shadow_root',
]);

const STYLE = `
body { margin: 0; padding: 24px; line-height: 1.5; }
html[data-scheme=light] { color-scheme: light; background: #fff; color: #16181d; }
html[data-scheme=dark] { color-scheme: dark; background: #14161a; color: #e8e9ec; }
html[data-place=sidebar] body { padding: 16px; }
main { max-width: 860px; margin: 0 auto; }
.line { background: #8883; border-radius: 4px; display: block; height: .8em; margin: 0 0 .7em; }
.title { height: 1.7em; margin-bottom: 1.1em; width: 72%; }
.short { width: 58%; margin-bottom: 2.2em; }`;

/** Stands for the article. */
const LINES =
  '<div aria-hidden="true"><i class="line title"></i><i class="line"></i><i class="line"></i><i class="line short"></i></div>\n';

/** @param site Site ID whose posts the lists show. */
export function samplePage(site: string, query: Query): SamplePage {
  const style = `${STYLE}${looks(query)}`;
  const lang = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.exec(last(query, 'lang') ?? '')?.[0] ?? 'en';
  const scheme = last(query, 'scheme') === 'dark' ? 'dark' : 'light';
  const kind = last(query, 'kind') === 'top' ? 'top' : 'related';
  const sheet = sheetOf(query);
  const isSidebar = last(query, 'place') === 'sidebar';
  const hash = createHash('sha256').update(style).digest('base64');
  return {
    html: `<!doctype html>
<html lang="${lang}" dir="${directionOf(lang)}" data-scheme="${scheme}"${isSidebar ? ' data-place="sidebar"' : ''}><head><meta charset="utf-8"><title>Preview</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><base target="_blank">
<style>${style}</style>${sheet ? `<link rel="stylesheet" href="${escapeHtml(sheet.href)}">` : ''}<script async src="../afterword.js" data-site="${escapeHtml(site)}" data-consent="required" data-track="none"></script></head>
<body><main>${isSidebar ? '' : LINES}<div data-afterword="${kind}"${attributesOf(query)}></div></main></body></html>`,
    policy: [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      'img-src http: https: data:',
      // A style sheet may name others, and fonts, wherever they lie.
      `style-src 'self' 'sha256-${hash}'${sheet ? ' http: https:' : ''}`,
      ...(sheet ? ['font-src http: https: data:'] : []),
      "base-uri 'self'",
      "form-action 'none'",
      "frame-ancestors 'self'",
    ].join('; '),
  };
}

function attributesOf(query: Query): string {
  const said = [...query.keys()].filter((name) => ATTRIBUTE.test(name) && !OF_PAGE.has(name) && !NOT_HERE.has(name));
  const attributes = said.slice(0, MAX_ATTRIBUTES).map((name) => {
    const value = (last(query, name) ?? '').slice(0, MAX_VALUE);
    return ` data-${name}="${escapeHtml(value)}"`;
  });
  return attributes.join('');
}

/** The publisher's own style sheet, which the browser fetches, not the server. */
function sheetOf(query: Query): URL | undefined {
  const url = parseUrl((last(query, 'css') ?? '').slice(0, MAX_ADDRESS));
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** The font, and custom properties. */
function looks(query: Query): string {
  const font = last(query, 'font') === 'serif' ? 'Georgia, serif' : 'system-ui, sans-serif';
  return `\nhtml { font-family: ${font}; ${properties(query)} }`;
}

/** Custom properties as declarations, only where they are what they should be. */
export function properties(query: Query): string {
  const accent = /^#(?:[\da-f]{3}|[\da-f]{6})$/i.exec(last(query, 'accent') ?? '')?.[0];
  const radius = /^\d{1,2}$/.exec(last(query, 'radius') ?? '')?.[0];
  return [
    ...(accent === undefined ? [] : [`--afterword-accent: ${accent};`]),
    ...(radius === undefined ? [] : [`--afterword-radius: ${radius}px;`]),
  ].join(' ');
}
