// Parses a query string by the rules of the interface: all values of a name, in order; an empty value is an absent one.
//
//   const query = readQuery(c.req.url);
//   last(query, 'limit');         → '10' or undefined
//   all(query, 'tag') ?? [];      → every tag

/** Values by name. A map, because `__proto__` may be a name. */
export type Query = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the query of a URL or request target. Never throws: broken percent signs become U+FFFD.
 * @param url Absolute URL or path; everything after the first `?` and before `#` counts.
 */
export function readQuery(url: string): Query {
  const query = new Map<string, string[]>();
  const start = url.indexOf('?');
  if (start < 0) return query;
  const end = url.indexOf('#', start);
  for (const [name, value] of new URLSearchParams(url.slice(start + 1, end < 0 ? undefined : end))) {
    if (value.trim() === '') continue;
    const values = query.get(name);
    if (values) values.push(value);
    else query.set(name, [value]);
  }
  return query;
}

/** The value of a parameter that takes one: the last one takes precedence. */
export function last(query: Query, name: string): string | undefined {
  return query.get(name)?.at(-1);
}

const INDEX = /^\[\d*\]$/;

/**
 * All values of a parameter that takes several, also those under the names that PHP gives the items of a list
 * (`author[0]`, `author[]`), as the WordPress plugin does.
 */
export function all(query: Query, name: string): readonly string[] | undefined {
  const named = [...query].filter(
    ([key]) => key === name || (key.startsWith(name) && INDEX.test(key.slice(name.length))),
  );
  return named.length === 0 ? undefined : named.flatMap(([, values]) => values);
}
