// What mails look like: tables and styles in the elements, as mail programs take them; one column that a phone shows as
// it is; colours of the dark where the program has them. No script, no picture, no font: nothing is loaded.
import { escapeHtml } from '../http/escapeHtml.ts';

const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Colours in the light; the style sheet has those of the dark, for programs that read one. */
const COLOURS = {
  page: '#f2f4f7',
  card: '#ffffff',
  text: '#16181d',
  muted: '#5b6270',
  line: '#e3e6eb',
  link: '#1f4fbf',
  track: '#e8ebf0',
  band: '#b9c9ee',
  mark: '#1f4fbf',
} as const;

const DARK = {
  page: '#0f1115',
  card: '#181b21',
  text: '#e9ebef',
  muted: '#a2a9b6',
  line: '#2c313b',
  link: '#9db8ff',
  track: '#2a2f39',
  band: '#3b4f82',
  mark: '#9db8ff',
} as const satisfies Record<keyof typeof COLOURS, string>;

const BACKGROUNDS = ['page', 'card', 'track', 'band', 'mark'] as const;

/** `!important` wins over the styles in the elements. */
const DARK_STYLE = [
  ...BACKGROUNDS.map((name) => `.bg-${name}{background:${DARK[name]}!important}`),
  ...(['text', 'muted', 'link'] as const).map((name) => `.${name}{color:${DARK[name]}!important}`),
  `.line{border-color:${DARK.line}!important}`,
].join('');

/** A long word or an address breaks: a program shows a wider mail smaller as a whole. */
const BREAKS = 'word-break:break-word';

/** Class and style of an element in one of the colours. */
export const ink = (name: 'text' | 'muted' | 'link', more = ''): string =>
  `class="${name}" style="color:${COLOURS[name]};${more}"`;

export const background = (name: (typeof BACKGROUNDS)[number], more = ''): string =>
  `class="bg-${name}" style="background:${COLOURS[name]};${more}"`;

/** A text from anywhere. */
export const text = (value: string): string => escapeHtml(value);

export const muted = (inner: string): string =>
  `<div ${ink('muted', 'font-size:13px;line-height:18px')}>${inner}</div>`;

export const paragraph = (inner: string): string =>
  `<p ${ink('text', 'margin:0 0 16px;font-size:16px;line-height:24px')}>${inner}</p>`;

/** A title or a name, in the direction of its own letters: else its punctuation stands at the wrong end. */
export const named = (value: string): string => `<span dir="auto">${text(value)}</span>`;

/** A link, only to http and https: other schemes would run or download something. */
export function link(address: string, label: string, more = ''): string {
  if (!/^https?:\/\//i.test(address)) return named(label);
  return `<a href="${text(address)}" dir="auto" ${ink('link', `text-decoration:none;${more}`)}>${text(label)}</a>`;
}

export function button(address: string, label: string): string {
  const style = `display:inline-block;padding:12px 20px;border-radius:8px;background:#1f4fbf;color:#ffffff;${FONT};font-size:15px;line-height:20px;font-weight:600;text-decoration:none`;
  return `<p style="margin:24px 0 0"><a href="${text(address)}" style="${style}">${text(label)}</a></p>`;
}

/** A part under a heading; nothing where there is nothing in it. */
export function part(title: string, rows: readonly string[]): string {
  if (rows.length === 0) return '';
  const heading = `<h2 ${ink('text', 'margin:28px 0 4px;font-size:16px;line-height:22px;font-weight:600')}>${text(title)}</h2>`;
  return `${heading}\n${table(rows.join('\n'))}`;
}

/** A row with something at its left and a number at its right. */
export function row(left: string, right: string): string {
  const cell = `border-top:1px solid ${COLOURS.line};padding:10px 0;${FONT};font-size:15px;line-height:21px;vertical-align:top`;
  return `<tr><td class="line text" style="color:${COLOURS.text};${cell};${BREAKS}">${left}</td><td class="line text" align="right" style="color:${COLOURS.text};${cell};padding-left:16px;white-space:nowrap;font-weight:600">${right}</td></tr>`;
}

export const table = (rows: string): string =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse">${rows}</table>`;

export interface Frame {
  /** Title of the document. */
  title: string;
  /** What lists of mails show beside the subject. */
  preview: string;
  /** Above the title: whose mail it is. */
  over: string;
  heading: string;
  /** HTML. */
  body: string;
  /** HTML, below the card. */
  foot: string;
}

/** A whole mail. */
export function frame({ title, preview, over, heading, body, foot }: Frame): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${text(title)}</title>
<style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${DARK_STYLE}}@media (max-width:480px){.card{padding:20px 16px!important}.outer{padding:0 0 24px!important}}</style></head>
<body ${background('page', 'margin:0;padding:0')}>
<div style="display:none;max-height:0;overflow:hidden">${text(preview)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" ${background('page')}><tr><td class="outer" align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px"><tr>
<td align="left" ${background('card', `padding:28px 32px;border-radius:12px;${BREAKS};${FONT}`).replace('class="', 'class="card ')}>
<div ${ink('muted', 'font-size:14px;line-height:20px')}>${text(over)}</div>
<h1 ${ink('text', 'margin:0 0 20px;font-size:22px;line-height:28px;font-weight:700')}>${text(heading)}</h1>
${body}
</td></tr><tr><td align="left" style="padding:16px 32px;${BREAKS};${FONT};font-size:13px;line-height:19px" class="muted card">${foot}</td></tr></table>
</td></tr></table>
</body></html>
`;
}
