// The bounds of metadata that the reference document declares are those that the server has: a value of the length it
// names is taken, and a longer one is refused by the name of its field.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenApi } from '../../server/reference/openapi.ts';
import type { Newsroom } from '../support/newsroom.ts';
import { openSmallPaper } from '../support/smallPaper.ts';

interface Declared {
  enum?: unknown[];
  maxLength?: number;
  maxItems?: number;
  maximum?: number;
  items?: Declared;
  anyOf?: Declared[];
}

const PAGE = 'https://paper.example/';
/** Their form bounds them. */
const OF_A_FORM = ['page_type', 'pub_date_tmsp', 'language'];

let room: Newsroom;
let fields: Record<string, Declared>;
beforeAll(async () => {
  room = await openSmallPaper();
  const document = (await (await room.app.request('http://stats.example/openapi.json')).json()) as OpenApi;
  const { schema } = document.paths['/v2/metadata/{kind}']!.post!.requestBody!.content['application/json'];
  fields = (schema as { properties: { metadata: { properties: typeof fields } } }).properties.metadata.properties;
});
afterAll(() => room.close());

/** @returns The names of the fields that were refused. */
async function refused(metadata: object): Promise<string[]> {
  const body = JSON.stringify({
    ...{ apikey: room.site.id, secret: room.writeSecret },
    metadata: { canonical_url: `${PAGE}bounds`, ...metadata },
  });
  const headers = { 'Content-Type': 'application/json' };
  const target = 'http://stats.example/v2/metadata/posts';
  const answer = await (await room.app.request(target, { method: 'POST', headers, body })).json();
  return Object.keys((answer as { errors?: object }).errors ?? {});
}

const isAddress = (name: string) => /url/.test(name);

/** A text of so many characters, of the form that the field takes. */
function textOf(name: string, length: number): string {
  if (name === 'custom_metadata') return `{"a":"${'a'.repeat(length - 8)}"}`;
  return isAddress(name) ? PAGE + 'a'.repeat(length - PAGE.length) : 'a'.repeat(length);
}

/** A value that is as large as declared, and one that is larger. */
function* edgesOf(name: string, declared: Declared): Iterable<[fits: unknown, is: unknown]> {
  const { maxLength, maxItems, maximum, items, anyOf = [] } = declared;
  if (maxLength !== undefined) yield [textOf(name, maxLength), textOf(name, maxLength + 1)];
  if (maximum !== undefined) yield [maximum, maximum + 1];
  for (const one of anyOf) yield* edgesOf(name, one);
  if (maxItems === undefined) return;
  const list = (length: number) => Array.from({ length }, (_, n) => (isAddress(name) ? `${PAGE}${n}` : `${n}`));
  yield [list(maxItems), list(maxItems + 1)];
  for (const [fits, is] of edgesOf(name, items ?? {})) yield [[fits], [is]];
}

test('each field has a bound, which is the one it is refused beyond', async () => {
  for (const [name, declared] of Object.entries(fields)) {
    if (name === 'alternatives' || OF_A_FORM.includes(name)) continue;
    const edges = [...edgesOf(name, declared)];
    expect([name, edges.length > 0]).toEqual([name, true]);
    for (const [fits, tooMuch] of edges) {
      expect([name, await refused({ [name]: fits })]).toEqual([name, []]);
      expect([name, await refused({ [name]: tooMuch })]).toEqual([name, [name]]);
    }
  }
});
