// Lists that may move the page on a first visit: an async tag can come after the first paint, and reserves room only
// then. Pure.
import type { ScriptTag, SlotTag } from '../posts/readPage/readPage.ts';
import { kindOf } from './checkLists.ts';
import { type Finding, warning } from './finding.ts';

/** Text that fits a desktop's first screen in a column: what stands after more of it is below. */
const FIRST_SCREEN_CHARS = 1500;

/**
 * Read from the HTML alone: where a style sheet places an element, and how high pictures are, is not known.
 * @param tag Undefined where the page does not load the widget.
 * @param roomStyled A style element of the page makes room for lists.
 */
export function checkFirstVisit(slots: readonly SlotTag[], tag: ScriptTag | undefined, roomStyled: boolean): Finding[] {
  // A script that blocks the parser reserves the room before what stands below it is painted.
  if (tag === undefined || roomStyled || !tag.waits) return [];
  const early = slots.filter(({ textAbove, hasRoom }) => !hasRoom && textAbove < FIRST_SCREEN_CHARS);
  if (early.length === 0) return [];
  const kinds = [...new Set(early.map(kindOf))].join(' and ');
  return [
    warning(
      'first visit',
      `By its place in the HTML, a list (${kinds}) may be in view before the tag has made room for it: what stands below would move once.`,
      'Put the style lines that /preview writes for the list into the head of the page, or include the list as a fragment. If a style sheet makes the room, all is well.',
    ),
  ];
}
