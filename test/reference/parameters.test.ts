// Every parameter of every endpoint, as the reference document lists them: what it accepts, and how it refuses the rest
// by name. A parameter without a row in `parameterRows.ts` fails. AFTERWORD_TEST_RUNS tries every cell on every route.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../server/app.ts';
import { type Parameter, toOpenApi } from '../../server/reference/openapi.ts';
import type { Newsroom } from '../support/newsroom.ts';
import { A, openSmallPaper } from '../support/smallPaper.ts';
import { type Cell, COLUMNS } from './parameterKinds.ts';
import { ROWS } from './parameterRows.ts';

type Params = Record<string, string | readonly string[]>;

interface Endpoint {
  path: string;
  parameters: Parameter[];
}

const EVERYWHERE = process.env.AFTERWORD_TEST_RUNS !== undefined;

let room: Newsroom;
let endpoints: Endpoint[];

beforeAll(async () => {
  room = await openSmallPaper();
  const { paths } = toOpenApi(ROUTES);
  endpoints = Object.entries(paths).flatMap(([path, { get }]) =>
    get === undefined || !get.security.some(({ site }) => site) ? [] : [{ path, parameters: get.parameters }],
  );
});

afterAll(() => room.close());

interface Answered {
  success: boolean;
  code?: number;
  message?: string;
  errors?: Record<string, string[]>;
}

/** An endpoint with its required parameters and some more; what is not JSON is a success. */
async function ask({ path, parameters }: Endpoint, params: Params, parts: Params = {}): Promise<Answered> {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const { schema } = parameters.find((parameter) => parameter.name === name)!;
    return encodeURIComponent(String(parts[name] ?? (schema.enum as string[] | undefined)?.[0] ?? 'x'));
  });
  // Where no secret is needed it is ignored.
  const query = new URLSearchParams({ apikey: room.site.id, secret: room.secret });
  const required = parameters.filter((one) => one.required && one.in === 'query');
  const all: Params = {
    ...Object.fromEntries(required.map(({ name }) => [name, name === 'url' ? A : 'x'])),
    ...params,
  };
  for (const [name, value] of Object.entries(all)) for (const one of [value].flat()) query.append(name, one);
  const response = await room.app.request(`http://stats.example${filled}?${query}`);
  const text = await response.text();
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
  const body: Answered = isJson ? JSON.parse(text) : { success: response.status === 200 };
  if (body.success) expect([filled, response.status]).toEqual([filled, 200]);
  return body;
}

const ofQuery = ({ parameters }: Endpoint) => parameters.filter((one) => one.in === 'query');

function cellsOf(parameter: Parameter, verdict: 'accepted' | 'refused'): Cell[] {
  const row = ROWS[parameter.name]!(parameter);
  // What is required and empty is asked for: another test.
  const columns = COLUMNS.filter((column) => column !== 'empty' || !parameter.required);
  return columns.flatMap((column) =>
    (row[column][verdict] ?? []).map(([what, value]): Cell => [`${column}: ${what}`, value]),
  );
}

test('every parameter has a row', () => {
  const without = endpoints.flatMap((endpoint) =>
    ofQuery(endpoint)
      .filter(({ name }) => !Object.hasOwn(ROWS, name))
      .map(({ name }) => `${endpoint.path} ${name}`),
  );
  expect(without).toEqual([]);
  expect(endpoints.length).toBeGreaterThan(30);
  expect(endpoints.flatMap(ofQuery).length).toBeGreaterThan(250);
});

test('without anything but what is required, every endpoint answers', async () => {
  for (const endpoint of endpoints)
    expect([endpoint.path, await ask(endpoint, {})]).toMatchObject([endpoint.path, { success: true }]);
});

test('every parameter refuses by name what it does not take', async () => {
  const wrong: string[] = [];
  const tried = new Set<string>();
  for (const endpoint of endpoints) {
    for (const parameter of ofQuery(endpoint)) {
      const { name } = parameter;
      // Each route refuses something; the same schema under the same name is tried whole on one of them.
      const schema = `${name} ${JSON.stringify(parameter.schema)}`;
      const cells = cellsOf(parameter, 'refused');
      const isKnown = !EVERYWHERE && tried.has(schema);
      tried.add(schema);
      for (const [what, value] of isKnown ? cells.slice(0, 1) : cells) {
        const answer = await ask(endpoint, { [name]: value });
        const refused =
          answer.code === 422 &&
          answer.message === `Bad parameters: ${name}` &&
          Object.keys(answer.errors ?? {}).join() === name &&
          !('data' in answer) &&
          answer.errors![name]!.every((sentence) => /^[A-Z].*\.$/.test(sentence));
        if (!refused) wrong.push(`${endpoint.path} ${name}: ${what}: ${JSON.stringify(answer).slice(0, 160)}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test('every parameter accepts what it says it takes', async () => {
  const wrong: string[] = [];
  const tried = new Set<string>();
  for (const endpoint of endpoints) {
    for (const parameter of ofQuery(endpoint)) {
      const schema = JSON.stringify(parameter.schema);
      const isNew = !tried.has(`${parameter.name} ${schema}`);
      tried.add(`${parameter.name} ${schema}`);
      for (const [at, [what, value]] of cellsOf(parameter, 'accepted').entries()) {
        // Each name accepts something; a schema is tried whole once, not under each name and on each route.
        const cell = `${what} ${schema} ${JSON.stringify(value)}`;
        if (!EVERYWHERE && tried.has(cell) && !(isNew && at === 0)) continue;
        tried.add(cell);
        const answer = await ask(endpoint, { [parameter.name]: value });
        if (!answer.success)
          wrong.push(`${endpoint.path} ${parameter.name}: ${what}: ${JSON.stringify(answer).slice(0, 160)}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test('a required parameter that is missing, empty or blank is asked for', async () => {
  for (const endpoint of endpoints) {
    for (const { name } of ofQuery(endpoint).filter((one) => one.required)) {
      for (const value of [[], '', ' ']) {
        const answer = await ask(endpoint, { [name]: value });
        const asked = { [name]: ['This parameter is required.'] };
        expect([endpoint.path, answer.errors]).toEqual([endpoint.path, asked]);
      }
    }
  }
});

test('several that are wrong are all named, in the order of the alphabet', async () => {
  const bad = { limit: 'x', page: 'y', sort: 'z', days: 'w' };
  for (const endpoint of endpoints) {
    const names = ofQuery(endpoint).map(({ name }) => name);
    const known = Object.keys(bad)
      .filter((name) => names.includes(name))
      .sort();
    if (known.length < 2) continue;
    const answer = await ask(endpoint, bad);
    expect([endpoint.path, answer.message]).toEqual([endpoint.path, `Bad parameters: ${known.join(', ')}`]);
    expect(Object.keys(answer.errors!)).toEqual(known);
  }
});

describe('parts of the path', () => {
  test('each word of a closed list is accepted, any other is not found', async () => {
    for (const endpoint of endpoints) {
      for (const { name, schema } of endpoint.parameters.filter((one) => one.in === 'path' && one.schema.enum)) {
        const words = schema.enum as string[];
        for (const word of words)
          expect([endpoint.path, word, (await ask(endpoint, {}, { [name]: word })).success]).toEqual([
            endpoint.path,
            word,
            true,
          ]);
        for (const word of ['nonsense', words[0]!.toUpperCase(), '🎈', 'a'.repeat(5000)]) {
          const answer = await ask(endpoint, {}, { [name]: word });
          expect([endpoint.path, answer]).toEqual([endpoint.path, { code: 404, message: 'Not Found', success: false }]);
        }
      }
    }
  });

  test('a name may be anything but longer than any name', async () => {
    for (const endpoint of endpoints.filter(({ path }) => path.includes('{value}'))) {
      for (const value of ['a/b', 'detail', 'Zoë 政治 🎈', '%', '%2F', '?', '#', "'", '"', '\\', ' ', '+'])
        expect([endpoint.path, value, await ask(endpoint, {}, { value })]).toMatchObject([
          endpoint.path,
          value,
          { success: true },
        ]);
      for (const value of ['a\0', 'a'.repeat(5000)]) {
        const { errors = {} } = await ask(endpoint, {}, { value });
        expect([endpoint.path, Object.keys(errors)]).toEqual([endpoint.path, ['value']]);
      }
    }
  });
});
