/** @jsxRuntime classic */
/** @jsx h */
// Draws a list as HTML with the widget's own components and style sheet: read with the same suspicion, escaped by the
// renderer.
import { createHash } from 'node:crypto';
// biome-ignore lint/correctness/noUnusedImports: JSX calls it
import { h, type VNode } from 'preact';
import { render } from 'preact-render-to-string';
import type { Settings } from '../../widget/host.ts';
import { pick } from '../../widget/rare/alternatives.ts';
import languages from '../../widget/rare/languages.css?inline';
import { fitCards } from '../../widget/rare/services.ts';
import videos from '../../widget/rare/videos.css?inline';
import { columnStyle } from '../../widget/ui/columns.ts';
import layouts from '../../widget/ui/layouts.css?inline';
import { List, labelOf, shapeOf } from '../../widget/ui/list.tsx';
import { isDay, readCards } from '../../widget/ui/records.ts';
import theme from '../../widget/ui/theme.css?inline';
import { directionOf } from '../contract/direction.ts';
import { headingIn, isForeign, LATIN } from '../contract/headings.ts';
import { OTHERS } from '../contract/scripts.ts';
import type { Look } from './look.ts';

/** A frame has no page to inherit from. The room at the edges is for the mark of the focus. */
const FRAME_CSS = 'body{font:1em/1.3 system-ui,sans-serif;margin:0;padding:4px}nav{padding-block:0}';

const CLOSE = '</div>';

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** What all lists have, and what some have. */
const cssOf = ({ layout, type, columns, limit, lang }: Look): string =>
  theme +
  (layout === 'list' ? '' : layouts) +
  columnStyle(layout, limit, columns) +
  (type === 'videos' ? videos : '') +
  (isForeign(lang) ? languages : '');

/** Of these numbers of posts, one leaves a post of a grid alone in three columns and one does not: `columnStyle`. */
const COUNTS = [1, 3];

/**
 * For answers that are opened or framed: nothing runs, and nothing is loaded but pictures. Styled as the widget's, in
 * the asked-for shape. A piece of a page is styled for the posts it holds, which may be fewer than are asked for.
 */
export function policyOf(look: Look): string {
  const sheets = COUNTS.map((limit) => cssOf(look.document ? look : { ...look, limit }));
  const shape = shapeOf({ image: look.image });
  const hashes = new Set(sheets.map((css) => hash(look.document ? css + FRAME_CSS : css)));
  const styles = [...hashes, ...(shape ? ["'unsafe-hashes'", hash(shape)] : [])];
  return `default-src 'none'; img-src http: https:; style-src ${styles.join(' ')}; base-uri 'none'; form-action 'none'`;
}

export interface Fragment {
  kind: 'related' | 'top';
  look: Look;
  /** The list as the interface answers it. */
  body: unknown;
  /** The page it stands on, by its canonical address: marked in a ranking, and no post that is related to it. */
  url: string | undefined;
  /** Stands for a reader, where several titles or pictures of a post are compared. */
  reader: string;
  /** Time zone of the dates, as the site has it. */
  zone: string;
  /**
   * Attributes of a slot that asks for the same posts; undefined where attributes cannot say it, and the list stays as
   * it is.
   */
  filters: Settings | undefined;
}

export function drawFragment(fragment: Fragment): string {
  const { kind, look, body, url, zone } = fragment;
  const settings = toSettings(kind, look);
  const drawn = readCards(body)?.map((card) => (card._alternatives ? pick(card, fragment.reader, readCards) : card));
  const found = fitCards(drawn, settings) ?? [];
  const cards = found.filter(({ link }) => kind === 'top' || link !== url).slice(0, look.limit);
  const here = url === undefined ? [] : [url];
  const format = dateFormat(look.lang, zone);
  const list =
    cards.length > 0 ? <List _settings={settings} _cards={cards} _format={format} _here={here} /> : undefined;
  return look.document ? drawDocument(list, settings, look) : drawSlot(list, fragment, cards.length);
}

/** `off` is an empty attribute. The heading that is not said is that of the language. */
function toSettings(kind: string, look: Look): Settings {
  const off = (value: string | undefined): string | undefined => (value === 'off' ? '' : value);
  return {
    afterword: kind,
    slot: look.slot,
    limit: String(look.limit),
    layout: look.layout,
    heading: off(look.heading ?? headingIn({ ...LATIN, ...OTHERS }, look.lang, kind)),
    headingLevel: String(look.heading_level),
    label: look.label,
    meta: off(look.meta),
    image: look.image,
    columns: look.columns === undefined ? undefined : String(look.columns),
    fallback: look.fallback,
    itm: look.itm,
    imageSrc: look.image_src,
    shadow: look.shadow,
    fill: look.fill,
    repeat: look.repeat,
  };
}

/** As the widget writes dates, but for the year, which is always there: a fragment may be kept for longer. */
function dateFormat(language: string, timeZone: string): (date: string) => string {
  const options = { year: 'numeric', month: 'short', day: 'numeric' } as const;
  const [moments, days] = [timeZone, 'UTC'].map(
    (zone) => new Intl.DateTimeFormat(localeOf(language), { ...options, timeZone: zone }),
  );
  return (date) => {
    const time = Date.parse(`${date}Z`);
    return Number.isNaN(time) ? date.slice(0, 10) : (isDay(date) ? days : moments)!.format(time);
  };
}

/**
 * @returns undefined, the runtime's own locale, for a tag that is not well-formed, as for a language that is not known.
 */
function localeOf(language: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(language)[0];
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * A slot that is filled already: where the widget runs, it takes over; as many posts as are here, so that nothing
 * moves.
 */
function drawSlot(list: VNode | undefined, { kind, look, filters }: Fragment, count: number): string {
  const settings = { ...toSettings(kind, look), ...filters, limit: String(count || look.limit) };
  const attributes = filters ? toAttributes(settings) : {};
  if (!list) return render(<div {...attributes} />);
  const slot = render(<div {...attributes} lang={look.lang} />);
  const content =
    look.shadow === 'off'
      ? `<div class="afterword">${render(list)}</div>`
      : `<template shadowrootmode="open"><style>${cssOf({ ...look, limit: count })}</style>${render(list)}</template>`;
  return slot.slice(0, -CLOSE.length) + content + CLOSE;
}

/** `headingLevel` → `data-heading-level`. */
function toAttributes(settings: Settings): Record<string, string> {
  const said = Object.entries(settings).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(
    said.map(([name, value]) => [`data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, value]),
  );
}

function drawDocument(list: VNode | undefined, settings: Settings, look: Look): string {
  // A language tag: nothing in it needs escaping.
  return (
    `<!doctype html><html lang="${look.lang}" dir="${directionOf(look.lang)}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">' +
    `<meta name="robots" content="noindex">${render(<title>{labelOf(settings)}</title>)}` +
    `<base target="_top"><style>${cssOf(look) + FRAME_CSS}</style></head><body>${list ? render(list) : ''}</body></html>`
  );
}
