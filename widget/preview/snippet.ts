// What a publisher copies: the tag, the slot, the lines of a policy and of a style sheet. Pure.
import { chosen, type Kind, type Values } from './options.ts';

export interface Choice {
  site: string;
  kind: Kind;
  values: Values;
  /** Colour of section names, "" for the page's own. */
  accent: string;
  /** Pixels, "" for the default. */
  radius: string;
  /** Address of the page's own style sheet, for the frames alone; "" for none. */
  css: string;
  /** Address of a page of the site that the list is shown in, in the frames; "" for none. */
  page: string;
}

/** Stands for the site as long as none is named: a tag that names none counts nothing. */
const ANY_SITE = 'example.com';

/** @param server Address of the server, without a slash at the end. */
export function toTag(choice: Choice, server: string): string {
  return `<script async src="${server}/afterword.js" data-site="${quoted(choice.site || ANY_SITE)}"${tagAttributes(choice)}></script>`;
}

/** The tag for pages that pin scripts by hash. `file` and `hash` as the server's integrity.json says them. */
export function toPinnedTag(choice: Choice, server: string, { file, hash }: { file: string; hash: string }): string {
  return `<script async src="${server}/${file}" integrity="${hash}" crossorigin="anonymous" data-site="${quoted(choice.site || ANY_SITE)}"${tagAttributes(choice)}></script>`;
}

export function toSlot(choice: Choice): string {
  const attributes = slotAttributes(choice).map(([name, value]) => ` ${name}="${quoted(value)}"`);
  return `<div${attributes.join('')}></div>`;
}

export function slotAttributes({ kind, values }: Choice): [name: string, value: string][] {
  const said = chosen(kind, values).filter(({ group }) => group !== 'On the tag');
  return [['data-afterword', kind], ...said.map(({ name, value }): [string, string] => [`data-${name}`, value])];
}

/** How high a list is, these say. */
const OF_HEIGHT = ['data-afterword', 'data-layout', 'data-limit', 'data-image', 'data-columns'];

/** Selects slots of a choice: of two that fit a slot, the one that says more wins. */
export function toSelector(choice: Choice): string {
  const said = slotAttributes(choice).filter(([name]) => OF_HEIGHT.includes(name));
  return said.map(([name, value]) => `[${name}="${value.replaceAll(/["\\<\n]/g, escapeCss)}"]`).join('');
}

export function toPolicy(server: string): string {
  return `script-src ${server};\nconnect-src ${server};\nimg-src ${server};`;
}

/** "" when the page's own looks are kept. */
export function toStyle({ accent, radius }: Choice): string {
  const lines = [
    ...(accent === '' ? [] : [`  --afterword-accent: ${accent};`]),
    ...(radius === '' ? [] : [`  --afterword-radius: ${radius}px;`]),
  ];
  return lines.length === 0 ? '' : `:root {\n${lines.join('\n')}\n}`;
}

export interface Sample {
  scheme: 'light' | 'dark';
  /** Page a related list is for. */
  post: string;
  /** After an article, or alone in a narrow column. */
  place: 'article' | 'sidebar';
}

/** Query of the sample page that shows a choice. */
export function toSampleQuery(choice: Choice, { scheme, post, place }: Sample): string {
  const { site, kind, values, accent, radius, css } = choice;
  const query = new URLSearchParams({ apikey: site, kind, scheme });
  if (css !== '') query.set('css', css);
  if (place === 'sidebar') query.set('place', place);
  if (accent !== '') query.set('accent', accent);
  if (radius !== '') query.set('radius', radius);
  for (const { name, value, group } of chosen(kind, values)) if (group !== 'On the tag') query.set(name, value);
  if (kind === 'related' && post !== '') query.set('url', post);
  return query.toString();
}

/** Query of a page of the site with a choice in it. @param post Page a related list is for. */
export function toOwnQuery(choice: Choice, post: string): string {
  const { site, kind, values, accent, radius, page } = choice;
  const query = new URLSearchParams({ apikey: site, kind, url: page, ...(kind === 'related' && { post }) });
  if (accent !== '') query.set('accent', accent);
  if (radius !== '') query.set('radius', radius);
  for (const { name, value, group } of chosen(kind, values)) if (group !== 'On the tag') query.set(name, value);
  return query.toString();
}

function tagAttributes({ kind, values }: Choice): string {
  const said = chosen(kind, values).filter(({ group }) => group === 'On the tag');
  return said.map(({ name, value }) => ` data-${name}="${quoted(value)}"`).join('');
}

const escapeCss = (character: string) => `\\${character.charCodeAt(0).toString(16)} `;

const quoted = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
