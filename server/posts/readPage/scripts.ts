// Scripts that a page loads, as its markup says them: for finding why a list does not show.
import { type DataTag, toDataTag } from './slots.ts';

/** A script a page loads: what says whose it is and whether it may run. */
export interface ScriptTag extends DataTag {
  src: string;
  /** `data-site`, or "". */
  site: string;
  nonce: string;
  integrity: string;
  /** `async`, `defer` or a module: the page may be painted before it runs. */
  waits: boolean;
  /** What keeps browsers from running it as it stands, such as `type="text/plain"`; "" for nothing. */
  inert: string;
}

/** Longest text kept of one attribute, in characters. */
const MAX_TEXT = 2_000;
const MAX_TYPE = 100;

/** https://mimesniff.spec.whatwg.org/#javascript-mime-type, which a type with parameters is not. */
const RUNS = /^\s*(?:module|(?:text|application)\/(?:x-)?(?:java|ecma|j|live)script[\d.]*)?\s*$/i;
/** Where consent managers and optimizers keep the address of a script until they start it. */
const HELD_ADDRESS = /^(?:data-(?:.*-)?src|suppressedsrc)$/;

/** @returns undefined where it has no address. */
export function toScriptTag(attributes: Record<string, string>): ScriptTag | undefined {
  const held = attributes.src ? undefined : Object.keys(attributes).find((name) => HELD_ADDRESS.test(name));
  const src = attributes[held ?? 'src'];
  if (!src) return undefined;
  const { nonce = '', integrity = '', 'data-site': site = '' } = attributes;
  const [cutSrc = '', cutNonce = '', cutIntegrity = '', cutSite = ''] = [src, nonce, integrity, site].map((text) =>
    text.slice(0, MAX_TEXT),
  );
  return {
    ...{ src: cutSrc, nonce: cutNonce, integrity: cutIntegrity, site: cutSite },
    waits: attributes.async !== undefined || attributes.defer !== undefined || attributes.type === 'module',
    inert: inertBy(attributes, held),
    ...toDataTag('script', attributes),
  };
}

function inertBy({ type = '', nomodule }: Record<string, string>, held: string | undefined): string {
  if (!RUNS.test(type)) return `type="${type.slice(0, MAX_TYPE)}"`;
  return held ?? (nomodule !== undefined && type.trim().toLowerCase() !== 'module' ? 'nomodule' : '');
}
