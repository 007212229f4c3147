// The slots of the page, as they are now: nothing is kept of one that is gone.
import { ofDocument } from './unclobbered.ts';

/** A form is none: its fields stand before its properties of their names, and it cannot hold a list. */
const SLOTS = '[data-afterword]:not(form),afterword-related,afterword-top';

export const findSlots = (): NodeListOf<HTMLElement> =>
  ofDocument('querySelectorAll').call(document, SLOTS) as NodeListOf<HTMLElement>;
