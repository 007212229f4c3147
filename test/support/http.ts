// Asking a server in one line.

/** Parameters of a request; a list repeats its name. */
export type Params = Record<string, string | number | readonly string[]>;

/** GETs a path and reads the answer as JSON, whatever it says. */
export async function getJson<T = Record<string, unknown>>(
  server: { url: string },
  path: string,
  params: Params = {},
): Promise<T> {
  const url = new URL(path, server.url);
  for (const [name, value] of Object.entries(params)) {
    for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(one));
  }
  const response = await fetch(url);
  return (await response.json()) as T;
}

/** POSTs JSON and reads the answer as JSON. */
export async function postJson<T = Record<string, unknown>>(
  server: { url: string },
  path: string,
  body: unknown,
): Promise<T> {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(new URL(path, server.url), init);
  return (await response.json()) as T;
}
