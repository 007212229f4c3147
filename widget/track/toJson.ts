// JSON of an event, whatever the page has put on the prototypes.

/**
 * JSON.stringify calls a method `toJSON` of each object and list, and old libraries put one on the prototypes that
 * returns text: Prototype.js 1.6 turns lists into strings. The replacer, called after it, puts the value itself back.
 * @param value A text, a number, or an object or list of such; functions are left out.
 */
export const toJson = (value: unknown): string | undefined =>
  JSON.stringify(value, function (this: Record<string, unknown>, name) {
    return this[name];
  });
