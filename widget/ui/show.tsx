/** @jsxRuntime classic */
/** @jsx h */
// Shows the list of a slot: room and skeleton first, or what the server drew; then the posts, the slot's own children,
// or nothing.
// biome-ignore lint/correctness/noUnusedImports: JSX calls it
import { h, render } from 'preact';
import { KINDS, LAYOUTS } from '../../server/contract/attributes.ts';
import type { ErrorBody } from '../../server/contract/wire.ts';
import { ask, dispatch, drawCard, host, ofDocument, pageUrl, visitor, within } from '../attend.ts';
import type { Settings } from '../host.ts';
import type { Said } from '../rare/experiment.ts';
import { type Drawn, reportCards, watchItem } from '../track/lists.ts';
import { answerOf, choose } from './choose.ts';
import { dateLanguage, formatIn, idle } from './dates.ts';
import { extra } from './extras.ts';
import { List } from './list.tsx';
import { type Card, readCards } from './records.ts';
import { attach, dress, languageOf } from './root.tsx';
import type * as TemplatePart from './template.ts';

/** Set by the build: false in the file that fetches no extras, where nothing is left of them. */
declare const EXTRAS: boolean;

type Template = typeof TemplatePart;

/**
 * Posts that come sooner are drawn at once, into the room that is kept for them: a skeleton takes a layout and a paint.
 */
const SOON_MS = 100;

/** What browsers call no layout shift. */
const MOVE_PX = 3;

/** Slots that show posts. */
const shown = new WeakSet<HTMLElement>();

/**
 * @returns true where no answer came, or the server is in trouble.
 * @throws what fails; the slot then shows its own children, unless a list is there.
 */
export const show = (slot: HTMLElement, settings: Settings, asked: Promise<unknown>, says?: Said): Promise<unknown> =>
  fill(slot, settings, asked, says).catch((error) => {
    // Not by Preact, which may be what failed.
    if (!shown.has(slot)) slot.shadowRoot?.replaceChildren(ofDocument('createElement').call(document, 'slot'));
    throw error;
  });

/**
 * Where the slot is asked for anew meanwhile, as on the next page of an application, it shows the newer answer,
 * whichever comes last. A list that is there stays until the new one is, and gives way to the slot's own children where
 * that has no post: posts of the page before are none of this one. Elements that came with the page are taken over as
 * they stand, and stay. Posts are not kept waiting for their dates, unless there is a list in their place.
 *
 * What stands in a slot whose list did not come stays until there is one: what is in its root is not touched before the
 * answer is there. The width is read before anything is drawn, when the layout is not dirty. A root is attached no
 * sooner than there is something to draw: an empty one takes a layout of its own.
 */
async function fill(slot: HTMLElement, settings: Settings, asked: Promise<unknown>, says?: Said): Promise<unknown> {
  const width = slot.offsetWidth;
  const look = { layout: 'list', ...settings };
  const dressing = dress(slot, look);
  const template = slot.querySelector<HTMLTemplateElement>('template:not([shadowrootmode])');
  const loading = (template || settings.itm || settings.imageSrc) && (host._load('template') as Promise<Template>);
  // As the slot names it, too; and with a query that only says where the reader came from.
  const here = [settings.url!, pageUrl(), location.href.split(/[?#]/)[0]!];
  const language = dateLanguage(languageOf(slot) || navigator.language);
  let format = formatIn(language);
  let part: Template | undefined;
  let answer: unknown;
  const read = async (): Promise<Card[] | undefined> => {
    answer = await answerOf(asked.then((body) => body ?? ask(settings, true)));
    const found = readCards(answer);
    dispatch(slot, 'load', found);
    return found;
  };
  // A slot with a name may be in an experiment, which is known before anything is drawn. What the server drew stays.
  if (EXTRAS && settings.slot && !says && !(slot.shadowRoot?.querySelector('a') && !shown.has(slot))) {
    const { experiments } = ((await answerOf(asked)) || {}) as { experiments?: unknown };
    const given = { _ask: ask, _show: show, _watch: watchItem, _visitor: visitor, _extra: extra };
    if (experiments && (await extra('experiment', slot, settings, experiments, given))) return;
  }
  const choosing = choose(slot, settings, here, read());
  const old = slot.shadowRoot;
  const soon = await (old ? choosing : within(SOON_MS, choosing));
  const root = await attach(slot, look, await dressing);
  let drawn: Drawn;
  const paint = (cards?: Card[]): void => {
    render(
      <List
        _settings={look}
        _cards={cards}
        _format={format}
        _here={here}
        _draw={template ? () => [] : drawCard}
        _watch={(item, card) => watch(slot, item, drawn, card)}
      />,
      root,
    );
    if (part) part.fillItems(root, template, cards, format);
  };
  const isThere = shown.has(slot) || root.querySelector('a');
  if (!(isThere || old || soon)) paint();
  const chosen = await choosing;
  part = (await loading) as Template | undefined;
  const cards = part ? part.fitCards(chosen, settings) : chosen;
  if (slot.afterword !== settings) return;
  if (cards?.[0]) {
    drawn = toDrawn(slot, look, cards, says);
    if (!isThere) {
      paint(cards);
      shown.add(slot);
      dispatch(slot, 'render', cards);
    }
    if (language || isThere) {
      await idle();
      format = formatIn(language, true);
      paint(cards);
    }
    if (isThere) {
      if (!shown.has(slot)) reloadPictures(root);
      shown.add(slot);
      dispatch(slot, 'render', cards);
    }
  } else {
    if (!isThere || (cards && shown.delete(slot))) {
      render(null, root);
      render(<slot />, slot.shadowRoot!);
    }
    dispatch(slot, cards ? 'empty' : 'error', answer);
    host._report(answer);
  }
  // A list that fills its room needs none kept for it. Measured before the paint: after it, that takes another frame.
  const list = slot.shadowRoot!.firstElementChild as HTMLElement;
  if (slot.offsetHeight - list.offsetHeight < MOVE_PX) slot.style.minHeight = '';
  else if (EXTRAS) extra('room', slot, width);
  if (EXTRAS && !(cards?.[0] && KINDS.includes(look.afterword as never) && LAYOUTS.includes(look.layout as never)))
    extra('why', slot, answer, host._server);
  return !(cards || ((answer as Partial<ErrorBody> | undefined)?.code ?? 500) < 500);
}

const toDrawn = (slot: HTMLElement, look: Settings, cards: Card[], says?: Said): Drawn => ({
  _says: {
    list: look.afterword!,
    slot: look.slot || `${[...host._slots()].indexOf(slot) + 1}`,
    layout: look.layout || 'list',
    ...says,
  },
  _cards: cards,
  _met: () => dispatch(slot, 'impression', cards),
});

/** Follows what becomes of an item. */
const watch = (slot: HTMLElement, item: HTMLElement, list: Drawn, card: Card): void => {
  watchItem(item, list, card);
  // In a new tab, too. The right button opens a menu.
  item.onclick = item.onauxclick = ({ button, target }) => {
    if (button > 1 || !(target as Element).closest('a')) return;
    dispatch(slot, 'click', card);
    reportCards(list, [card], 'clicked');
  };
};

/** From memory: pictures that came with the page, and failed before there was a listener, fail again. */
const reloadPictures = (root: Element | ShadowRoot): void => {
  for (const image of root.querySelectorAll('img')) image.src += '';
};
