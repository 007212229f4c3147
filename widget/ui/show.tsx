/** @jsxRuntime classic */
/** @jsx h */
// Shows the list of a slot: room and skeleton first, or what the server drew; then the posts, the slot's own children, or nothing.
// biome-ignore lint/correctness/noUnusedImports: JSX calls it
import { h, render } from 'preact';
import { ask, drawCard, host, ofDocument, pageUrl } from '../attend.ts';
import type { Settings } from '../host.ts';
import { formatDates } from './dates.ts';
import { replaceImage } from './item.tsx';
import { List } from './list.tsx';
import { type Card, readCards } from './records.ts';
import { attach } from './root.tsx';
import { fillItems } from './template.ts';

/** A server that says nothing for so long has no list: a reader is not to look at empty frames for minutes. */
const PATIENCE_MS = 10_000;

/** Posts shown now, by slot. */
const shown = new WeakMap<HTMLElement, Card[]>();
/** Slots with posts: no post stands in two lists. A slot that left with its page is the page's to keep. */
const filled = new Set<WeakRef<HTMLElement>>();
/** Roots that hold what was drawn here; what is in another one came with the page. */
const drawn = new WeakSet<Element | ShadowRoot>();

/** @throws what fails; the slot then shows its own children, unless a list is there. */
export async function show(slot: HTMLElement, settings: Settings, asked: Promise<unknown>): Promise<void> {
  try {
    await fill(slot, settings, asked);
  } catch (error) {
    // Not by Preact, which may be what failed.
    if (!shown.has(slot)) slot.shadowRoot?.replaceChildren(ofDocument('createElement').call(document, 'slot'));
    throw error;
  }
}

async function fill(slot: HTMLElement, settings: Settings, asked: Promise<unknown>): Promise<void> {
  const root = attach(slot, settings);
  const template = slot.querySelector<HTMLTemplateElement>('template:not([shadowrootmode])');
  const tell = (type: string, detail?: unknown): void => {
    slot.dispatchEvent(new CustomEvent(`afterword:${type}`, { bubbles: true, detail }));
  };
  let format = (date: string): string => date.slice(0, 10);
  const paint = (cards?: Card[]): void => {
    if (!drawn.has(root)) root.textContent = '';
    drawn.add(root);
    render(<List settings={settings} cards={cards} template={template} format={format} draw={drawCard} />, root);
    if (template && cards) {
      fillItems(
        root,
        template,
        cards.map((card) => ({ ...card, date: format(card.date) })),
      );
    }
  };
  // A list that is there stays until the new one is.
  const isThere = (): unknown => shown.has(slot) || root.querySelector('a');
  if (!isThere()) paint();

  const answer = await Promise.race([
    asked.then((body) => body ?? ask(settings, true)).catch(host._report),
    new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)),
  ]);
  const found = readCards(answer, settings.itm);
  tell('load', found);
  const cards = found && choose(slot, settings, found);
  if (cards?.length) {
    // The same posts as the server drew: nothing a reader looks at is drawn again.
    const isSame = !drawn.has(root) && `${[...root.querySelectorAll('a')]}` === `${cards.map(({ url }) => url)}`;
    if (!shown.has(slot)) listenToClicks(root, (index) => tell('click', shown.get(slot)![index]));
    if (!isSame) paint(cards);
    // Nobody has watched its pictures so far.
    else
      for (const image of root.querySelectorAll('img'))
        image.decode().catch(() => replaceImage(image, settings.fallback));
    shown.set(slot, cards);
    filled.add(new WeakRef(slot));
    tell('render', cards);
    whenSeen(root, () => tell('impression', cards));
    format = await formatDates(slot);
    if (!isSame) paint(cards);
  } else {
    if (!isThere()) giveWay(slot);
    tell(found ? 'empty' : 'error', answer);
    host._report(answer);
  }
}

/** The posts a slot shows: not the page itself, not what another list shows. */
function choose(slot: HTMLElement, settings: Settings, found: Card[]): Card[] {
  // With a query that only says where the reader came from, too.
  const taken = new Set([pageUrl(), location.origin + location.pathname]);
  for (const reference of filled) {
    const other = reference.deref();
    // The slot itself is added anew, once for each time it is filled.
    if (!other?.isConnected || other === slot) filled.delete(reference);
    else for (const card of shown.get(other)!) taken.add(card.link);
  }
  return found.filter((card) => !taken.has(card.link) && taken.add(card.link)).slice(0, +settings.limit!);
}

/** Calls back with the place of an item, counted from 0, when a link in it is followed, in a new tab too. */
function listenToClicks(root: Element | ShadowRoot, follow: (index: number) => void): void {
  for (const type of ['click', 'auxclick']) {
    root.addEventListener(type, (event) => {
      const { button, target } = event as MouseEvent & { target: Element };
      const items = [...root.querySelectorAll('[part=item]')];
      // The right button opens a menu.
      if (button < 2 && target.closest('a')) follow(items.indexOf(target.closest('[part=item]')!));
    });
  }
}

/** Calls back once half of the first item is in the window. */
function whenSeen(root: Element | ShadowRoot, seen: () => void): void {
  const look = new IntersectionObserver(
    ([entry]) => {
      if (!entry!.isIntersecting) return;
      look.disconnect();
      seen();
    },
    { threshold: 0.5 },
  );
  look.observe(root.querySelector('li')!);
}

/** No list: the slot's own children if it has any, else nothing. Room is given back only where nobody sees it move: below the window. */
function giveWay(slot: HTMLElement): void {
  render(<slot />, slot.shadowRoot!);
  const look = new IntersectionObserver(([entry]) => {
    if (entry!.boundingClientRect.top < innerHeight) return;
    look.disconnect();
    slot.style.minHeight = '';
  });
  look.observe(slot);
}
