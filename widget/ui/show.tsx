/** @jsxRuntime classic */
/** @jsx h */
// Shows the list of a slot: room and skeleton first, then the posts, the slot's own children, or nothing at all.
// biome-ignore lint/correctness/noUnusedImports: JSX calls it
import { h, render } from 'preact';
import { ask, host, pageUrl } from '../attend.ts';
import type { Settings } from '../host.ts';
import { formatDates } from './dates.ts';
import { List } from './list.tsx';
import { type Card, readCards } from './records.ts';
import { attach } from './root.ts';

/** Posts shown now, by slot: no post stands in two lists. */
const shown = new Map<HTMLElement, Card[]>();

export async function show(
  slot: HTMLElement,
  settings: Settings,
  address: string,
  asked: Promise<unknown>,
): Promise<void> {
  const root = attach(slot, settings);
  const template = slot.querySelector('template');
  const tell = (type: string, detail?: unknown): void => {
    slot.dispatchEvent(new CustomEvent(`afterword:${type}`, { bubbles: true, detail }));
  };
  const onClick = (card: Card): void => tell('click', card);
  let format = (date: string): string => date.slice(0, 10);
  const paint = (cards?: Card[]): void =>
    render(<List settings={settings} cards={cards} template={template} format={format} onClick={onClick} />, root);
  // A list that is there stays until the new one is.
  if (!shown.has(slot)) paint();

  const answer = await asked.catch(() => ask(address, settings, true)).catch(host._report);
  const found = readCards(answer, settings.itm);
  tell('load', found);
  if (!found) host._report(answer);
  const cards = found && choose(slot, settings, found);
  if (cards?.length) {
    shown.set(slot, cards);
    paint(cards);
    tell('render', cards);
    whenSeen(root, () => tell('impression', cards));
    format = await formatDates(slot);
    paint(cards);
  } else if (!shown.has(slot)) {
    giveWay(slot, root);
    tell(found ? 'empty' : 'error', answer);
  }
}

/** The posts a slot shows: not the page itself, not what another list shows. */
function choose(slot: HTMLElement, settings: Settings, found: Card[]): Card[] {
  const taken = new Set([pageUrl(), location.href]);
  for (const [other, cards] of shown) {
    if (other !== slot && other.isConnected) for (const card of cards) taken.add(card.link);
  }
  return found.filter((card) => !taken.has(card.link) && taken.add(card.link)).slice(0, +settings.limit!);
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

/** No list: the slot's own children if it has any, else nothing. Room is given back only where nobody sees it move. */
function giveWay(slot: HTMLElement, root: Element | ShadowRoot): void {
  render(<slot />, root);
  if (slot.getBoundingClientRect().top > innerHeight) slot.style.minHeight = '';
}
