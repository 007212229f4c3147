// The experiment part: which variant of a list this reader gets. Fetched where an answer names an experiment. It
// imports no code of the other parts.
import { assignVariant } from '../../server/contract/assignment.ts';
import type { ExperimentDefinition, Ranking } from '../../server/contract/experiments.ts';
import type { ListReport } from '../../server/contract/wire.ts';
import type { Settings } from '../host.ts';
import { reserve } from '../reserve.ts';
import type { Drawn } from '../track/lists.ts';
import { measure } from './measure.ts';

/** What reports of a list say of its experiment; nothing where it is in none. */
export type Said = Pick<ListReport, 'experiment' | 'variant' | 'slot'> | Record<string, never>;

/** What the list part does for this one. */
interface Given {
  _ask(settings: Settings): Promise<unknown>;
  _show(slot: HTMLElement, settings: Settings, asked: Promise<unknown>, says: Said): Promise<unknown>;
  /** Reports a list as shown once an element that stands for it is in the window. */
  _watch(element: Element, list: Drawn, card: undefined, near: IntersectionObserverInit): void;
  _visitor(): Promise<string | undefined>;
  _extra(part: 'room', place: HTMLElement, width: number): unknown;
}

type Variant = ExperimentDefinition['variants'][number];

declare global {
  interface HTMLElement {
    /**
     * Of a place: the room of the highest variant there, in pixels. Further pages of an application keep none, and
     * count with that of the first one.
     */
    _room?: number;
  }
}

/** Parameters of /related by what a variant says of its ranking. */
const RANKED: Record<Ranking, Record<string, string>> = {
  content: { mix: '0' },
  readers: { mix: '1' },
  mix: { mix: '0.5' },
  newest: { sort: 'pub_date' },
  popular: { popularity: '1' },
};

/** Stands for a reader without an id, while this page is open. */
const PAGE_VIEW = `${Math.random()}`;

/**
 * Shows the variant of this reader.
 * @param named The experiments that the answer names.
 * @returns false where the slot is in none: where none names it, where the page has no such place, and where a place in
 * the window keeps less room than the list of a variant needs, for all readers alike: the page would move.
 */
async function showVariant(slot: HTMLElement, settings: Settings, named: unknown, given: Given): Promise<boolean> {
  const experiments = Array.isArray(named) ? (named as readonly ExperimentDefinition[]) : [];
  const experiment = experiments.find(({ slot: name, variants }) => name === settings.slot && Array.isArray(variants));
  const reader = (await given._visitor()) || PAGE_VIEW;
  const own = experiment && assignVariant(experiment.name, reader, experiment.variants);
  if (!own) return false;
  const all = experiment.variants.map((variant) => ({
    variant,
    place: placeOf(slot, variant),
    settings: { ...settings, ...changesOf(variant) },
  }));
  const places = new Set([slot, ...all.flatMap(({ place }) => place || [])]);
  const { place, settings: changed } = all.find(({ variant }) => variant === own)!;
  if (all.some((one) => !(one.place || one.variant.list))) return false;
  for (const one of places) {
    const needed = all.filter((each) => each.place === one).map((each) => each.settings);
    const room = makeRoom(one, { needed, own: place === one ? changed : undefined, isSlot: one === slot });
    if (room === undefined) return false;
    one._room = room;
  }
  const says = { experiment: experiment.name, variant: own.name, slot: experiment.slot };
  const { afterword: list = '', layout = 'list' } = changed;
  for (const one of places) {
    one.afterword = changed;
    // Whichever variant is drawn, the place counts for as long as the highest one would be in the window.
    const rootMargin = `${Math.max(0, Math.round(one._room! - one.offsetHeight))}px 0px 0px`;
    given._watch(one, { _says: { list, layout, ...says }, _cards: [] }, undefined, { rootMargin });
    if (one !== place && one.style.minHeight) given._extra('room', one, one.offsetWidth);
  }
  if (place !== slot) slot.dispatchEvent(new CustomEvent('afterword:empty', { bubbles: true, composed: true }));
  const nothing = (): undefined => undefined;
  const fail = measure(slot, place, { list, layout, ...says });
  try {
    if (place) await given._show(place, changed, given._ask(changed).catch(nothing), says);
  } catch (error) {
    // The slot itself says so, which is counted by that.
    if (place !== slot) fail();
    throw error;
  }
  return true;
}

/** Undefined for a variant without a list, and where the page has no such place: an element that is no slot itself. */
function placeOf(slot: HTMLElement, { list, slot: name }: Variant): HTMLElement | undefined {
  if (list) return;
  if (!name) return slot;
  const named = slot.ownerDocument.querySelectorAll<HTMLElement>('[data-slot]:not([data-afterword])');
  return [...named].find(({ dataset }) => dataset.slot === name);
}

function changesOf({ layout, heading, limit, ranking, rules }: Variant): Record<string, string> {
  return {
    ...(layout && { layout }),
    ...(heading && { heading }),
    ...(limit && { limit: `${limit}` }),
    ...(ranking && RANKED[ranking]),
    ...(rules && { rules }),
  };
}

/**
 * Keeps the room that this reader's list needs in a place.
 * @param of.needed What any variant shows there.
 * @param of.own What this one does.
 * @param of.isSlot Without any room kept, a slot has a list, which is replaced.
 * @returns The room of the highest of them, in pixels; where none is kept, that of the page before, or 0. Undefined
 * where that would move what the reader sees.
 */
function makeRoom(
  place: HTMLElement,
  { needed, own, isSlot }: { needed: Settings[]; own: Settings | undefined; isSlot: boolean },
): number | undefined {
  const kept = place.style.minHeight;
  if (!kept && (isSlot || place.shadowRoot)) return place._room || 0;
  const roomOf = (settings: Settings): number => {
    reserve(place, settings);
    return Number.parseFloat(place.style.minHeight);
  };
  const most = Math.max(0, ...needed.map(roomOf));
  const isBelow = place.getBoundingClientRect().top >= innerHeight;
  place.style.minHeight = isBelow ? '' : kept;
  if (isBelow && own) reserve(place, own);
  if (isBelow || most <= (Number.parseFloat(kept) || 0))
    return most * Number.parseFloat(getComputedStyle(place).fontSize);
}

export { showVariant as run };
