/** @jsxRuntime classic */
/** @jsx h */
// Draws a list as HTML with the widget's own components and style sheet: read with the same suspicion, escaped by the renderer.
import { createHash } from 'node:crypto';
// biome-ignore lint/correctness/noUnusedImports: JSX calls it
import { h, type VNode } from 'preact';
import { render } from 'preact-render-to-string';
import type { Settings } from '../../widget/host.ts';
import { headingOf, List, shapeOf } from '../../widget/ui/list.tsx';
import { readCards } from '../../widget/ui/records.ts';
import { markLinks } from '../../widget/ui/template.ts';
import css from '../../widget/ui/theme.css?inline';
import type { Look } from './look.ts';

/** A frame has no page to inherit from. The room at the edges is for the mark of the focus. */
const FRAME_CSS = `${css}body{font:1em/1.3 system-ui,sans-serif;margin:0;padding:4px}`;

const CLOSE = '</div>';

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** For answers that are opened or framed: nothing runs, and nothing is loaded but pictures. Styled as the widget's, in the asked-for shape. */
export function policyOf({ image }: Look): string {
  const shape = shapeOf({ image });
  const styles = [hash(css), hash(FRAME_CSS), ...(shape ? ["'unsafe-hashes'", hash(shape)] : [])];
  return `default-src 'none'; img-src http: https:; style-src ${styles.join(' ')}; base-uri 'none'; form-action 'none'`;
}

export interface Fragment {
  kind: 'related' | 'top';
  look: Look;
  /** The list as the interface answers it. */
  body: unknown;
  /** The page it stands on, by its canonical address: marked in a ranking, and no post that is related to it. */
  url: string | undefined;
  /** Time zone of the dates, as the site has it. */
  zone: string;
  /** Attributes of a slot that asks for the same posts; undefined where attributes cannot say it, and the list stays as it is. */
  filters: Settings | undefined;
}

export function drawFragment(fragment: Fragment): string {
  const { kind, look, body, url, zone } = fragment;
  const settings = toSettings(kind, look);
  const found = markLinks(readCards(body), look.itm) ?? [];
  const cards = found.filter(({ link }) => kind === 'top' || link !== url).slice(0, look.limit);
  const here = url === undefined ? [] : [url];
  const format = dateFormat(look.lang, zone);
  const list =
    cards.length > 0 ? (
      <List settings={settings} cards={cards} template={null} format={format} here={here} />
    ) : undefined;
  return look.document ? drawDocument(list, settings, look.lang) : drawSlot(list, fragment, cards.length);
}

function toSettings(kind: string, look: Look): Settings {
  const off = (value: string | undefined): string | undefined => (value === 'off' ? '' : value);
  return {
    afterword: kind,
    limit: String(look.limit),
    layout: look.layout,
    heading: off(look.heading),
    headingLevel: String(look.heading_level),
    label: look.label,
    meta: off(look.meta),
    image: look.image,
    fallback: look.fallback,
    itm: look.itm,
    shadow: look.shadow,
    fill: look.fill,
    repeat: look.repeat,
  };
}

function dateFormat(language: string, timeZone: string): (date: string) => string {
  const format = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeZone });
  return (date) => {
    const time = Date.parse(`${date}Z`);
    return Number.isNaN(time) ? date.slice(0, 10) : format.format(time);
  };
}

/** @returns undefined, the runtime's own locale, for a tag that is not well-formed, as for a language that is not known. */
function localeOf(language: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(language)[0];
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A slot that is filled already: where the widget runs, it takes over; as many posts as are here, so that nothing moves. */
function drawSlot(list: VNode | undefined, { kind, look, filters }: Fragment, count: number): string {
  const settings = { ...toSettings(kind, look), ...filters, limit: String(count || look.limit) };
  const attributes = filters ? toAttributes(settings) : {};
  if (!list) return render(<div {...attributes} />);
  const slot = render(<div {...attributes} lang={look.lang} />);
  const content =
    look.shadow === 'off'
      ? `<div class="afterword">${render(list)}</div>`
      : `<template shadowrootmode="open"><style>${css}</style>${render(list)}</template>`;
  return slot.slice(0, -CLOSE.length) + content + CLOSE;
}

/** `headingLevel` → `data-heading-level`. */
function toAttributes(settings: Settings): Record<string, string> {
  const said = Object.entries(settings).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(
    said.map(([name, value]) => [`data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, value]),
  );
}

/** @param language A language tag: nothing in it needs escaping. */
function drawDocument(list: VNode | undefined, settings: Settings, language: string): string {
  const title = settings.label || headingOf(settings) || settings.afterword;
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">' +
    `<meta name="robots" content="noindex">${render(<title>{title}</title>)}` +
    `<base target="_top"><style>${FRAME_CSS}</style></head><body>${list ? render(list) : ''}</body></html>`
  );
}
