// Every parameter of every endpoint, as the reference describes it: what it accepts and how it refuses the rest.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Parameter, toOpenApi } from '../../server/reference/openapi.ts';
import type { Newsroom } from '../support/newsroom.ts';
import { A, openSmallPaper } from '../support/smallPaper.ts';

let room: Newsroom;
let endpoints: { path: string; parameters: Parameter[] }[];

beforeAll(async () => {
  room = await openSmallPaper();
  const { paths } = toOpenApi(room.app);
  endpoints = Object.entries(paths)
    .filter(([path, { get }]) => path.startsWith('/v2/') && get !== undefined && get.security.length > 0)
    .map(([path, { get }]) => ({
      path: path.slice(3),
      parameters: get!.parameters.filter(({ name }) => name !== 'callback'),
    }));
});

afterAll(() => room.close());

type Value = string | string[];

/** What must be refused, by what the parameter is. */
function refused({ name, schema }: Parameter): [string, Value][] {
  if (name === 'exclude') return [['no pair', 'nonsense']];
  if (schema.type === 'integer') {
    const beyond = String(Number(schema.maximum) + 1);
    return [
      ['a word', 'ten'],
      ['zero', '0'],
      ['negative', '-1'],
      ['a fraction', '1.5'],
      ['too much', beyond],
      ['huge', '9'.repeat(400)],
      ['unicode', '１'],
    ];
  }
  if (schema.enum)
    return [
      ['another word', 'nonsense'],
      ['another case', String((schema.enum as string[]).at(-1)).toUpperCase()],
      ['unicode', '🎈'],
      ['huge', 'a'.repeat(5000)],
    ];
  if (/^(period|pub_date)_|^time$/.test(name))
    return [
      ['a word', 'yesterday'],
      ['no date of the calendar', '2040-02-30'],
      ['unicode', '２０４０-01-01'],
      ['huge', '1'.repeat(5000)],
    ];
  if (name === 'url')
    return [
      ['no scheme', 'paper.example/a'],
      ['another scheme', 'javascript:alert(1)'],
      ['huge', `https://a/${'a'.repeat(3000)}`],
    ];
  if (schema.type === 'array')
    return [
      ['too many', Array.from({ length: 7 }, (_, n) => String(n))],
      ['huge', 'a'.repeat(5000)],
      ['a NUL', 'a\0'],
    ];
  return [
    ['huge', 'a'.repeat(5000)],
    ['a NUL', 'a\0'],
  ];
}

/** What must be accepted, whether or not it finds anything. */
function accepted({ name, schema }: Parameter): [string, Value][] {
  const everywhere: [string, Value][] = [
    ['empty', ''],
    ['blank', ' '],
  ];
  if (name === 'exclude') return [...everywhere, ['a pair', 'tags:"Zoë 🎈"']];
  if (schema.type === 'integer')
    return [...everywhere, ['its least', String(schema.minimum)], ['repeated: the last one counts', ['x', '1']]];
  if (schema.enum) return [...everywhere, ['its first', String((schema.enum as string[])[0])]];
  if (/^(period|pub_date)_/.test(name))
    return [...everywhere, ['a date', '2040-03-20'], ['a look-back', '2d'], ['repeated', ['1d', '2d']]];
  if (name === 'time') return [...everywhere, ['a look-back', '5m']];
  if (name === 'url')
    return [
      ['an address', A],
      ['repeated', [A, A]],
      ['unicode', 'https://paper.example/é?ü=🎈'],
    ];
  if (schema.type === 'array' && (schema.items as { enum?: string[] })?.enum) return everywhere;
  if (schema.type === 'array') return [...everywhere, ['unicode', 'Zoë 🎈'], ['five', ['1', '2', '3', '4', '5']]];
  return [...everywhere, ['unicode', 'Zoë 🎈']];
}

/** The endpoint with its required parameters, and one more. */
function ask({ path, parameters }: (typeof endpoints)[number], name: string, value: Value) {
  const required: Record<string, Value> = {};
  const filled = path.replace(/\{(\w+)\}/g, (_, part: string) => {
    const { enum: values } = parameters.find((parameter) => parameter.name === part)!.schema as { enum?: string[] };
    return values?.[0] ?? 'x';
  });
  for (const parameter of parameters) {
    if (parameter.required && parameter.in === 'query') required[parameter.name] = parameter.name === 'url' ? A : 'x';
  }
  return room.ask(filled, { ...required, [name]: value });
}

test('every parameter refuses by name what it does not take', async () => {
  const wrong: string[] = [];
  for (const endpoint of endpoints) {
    for (const parameter of endpoint.parameters.filter((one) => one.in === 'query')) {
      for (const [what, value] of refused(parameter)) {
        const answer = await ask(endpoint, parameter.name, value);
        const named =
          answer.code === 422 && Object.keys(answer.errors ?? {}).includes(parameter.name) && !('data' in answer);
        const sentence = answer.errors?.[parameter.name]?.[0] ?? '';
        if (!named || !/^[A-Z].*\.$/.test(sentence))
          wrong.push(`${endpoint.path} ${parameter.name}: ${what}: ${JSON.stringify(answer).slice(0, 120)}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test('every parameter accepts what it says it takes', async () => {
  const wrong: string[] = [];
  const seen = new Set<string>();
  for (const endpoint of endpoints) {
    for (const parameter of endpoint.parameters.filter((one) => one.in === 'query')) {
      // Parameters of one name are one schema; each is tried where it is met first.
      if (seen.has(parameter.name) || /exclude\/(ignore|include)/.test(endpoint.path)) continue;
      seen.add(parameter.name);
      for (const [what, value] of accepted(parameter)) {
        const answer = await ask(endpoint, parameter.name, value);
        if (!answer.success)
          wrong.push(`${endpoint.path} ${parameter.name}: ${what}: ${JSON.stringify(answer).slice(0, 120)}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test('a required parameter that is missing or empty is asked for', async () => {
  for (const endpoint of endpoints) {
    for (const { name } of endpoint.parameters.filter((one) => one.in === 'query' && one.required)) {
      const answer = await ask(endpoint, name, '');
      expect([endpoint.path, name, answer.errors?.[name]]).toEqual([
        endpoint.path,
        name,
        ['This parameter is required.'],
      ]);
    }
  }
});

describe('the table is not empty', () => {
  test('it knows the endpoints and their parameters', () => {
    expect(endpoints.length).toBeGreaterThan(30);
    expect(endpoints.flatMap(({ parameters }) => parameters).length).toBeGreaterThan(200);
  });
});
