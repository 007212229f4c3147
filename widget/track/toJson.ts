// JSON of an event, whatever the page has put on the prototypes.

/**
 * JSON.stringify asks each object and list for a method `toJSON`, and old libraries put one on the prototypes that
 * returns text: Prototype.js 1.6 turns lists into strings. Texts and numbers are not asked.
 * @param value A text, a number, or an object or list of such; functions are left out.
 */
export function toJson(value: unknown): string | undefined {
  if (typeof value !== 'object' || !value) return JSON.stringify(value);
  const list = Array.isArray(value);
  let json = '';
  for (const [name, field] of Object.entries(value)) {
    const text = toJson(field);
    if (text) json += `${json && ','}${list ? '' : `"${name}":`}${text}`;
  }
  return list ? `[${json}]` : `{${json}}`;
}
