// Random arguments for every tool and random messages: never a fault, and nothing that the site has is changed by a reader.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { use } from '../support/assistants.ts';
import { type AssistedPaper, openAssistedPaper } from '../support/assistedPaper.ts';
import { A } from '../support/smallPaper.ts';

const RUNS = Number(process.env.AFTERWORD_TEST_RUNS ?? 300);

let paper: AssistedPaper;
beforeAll(async () => {
  paper = await openAssistedPaper();
});
afterAll(() => paper?.close());

const HOSTILE = [
  '..',
  '../..',
  '/v2/exclude/ignore',
  `../exclude/ignore?url=${A}`,
  '%2e%2e',
  'a/b',
  '\ud800',
  '\0',
  '',
  ' ',
  '#',
  '?',
  '&secret=x',
  A,
  '__proto__',
];
const words = fc.constantFrom(...HOSTILE);
const values = fc.oneof(
  words,
  fc.string({ unit: 'binary' }),
  fc.integer(),
  fc.boolean(),
  fc.array(words, { maxLength: 3 }),
  fc.jsonValue(),
);

test('random arguments of every tool', async () => {
  const { tools } = await paper.writer.listTools();
  const uses = fc.constantFrom(...tools).chain((tool) => {
    const { properties = {}, required = [] } = tool.inputSchema;
    const fields = Object.entries(properties).map(([name, schema]) => {
      const { enum: choices } = schema as { enum?: string[] };
      return [
        name,
        choices ? fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...choices) }, values) : values,
      ] as const;
    });
    const args = fc.record(Object.fromEntries(fields), { requiredKeys: [] });
    const needed = fields.filter(([name]) => required.includes(name));
    return fc.tuple(fc.constant(tool.name), args, fc.record(Object.fromEntries(needed)));
  });
  const before = await paper.api('/v2/exclude/list');
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(uses, async ([name, args, needed]) => {
      const { structuredContent, isError } = await use(paper.reader, name, { ...args, ...needed });
      if (isError !== true) answered += 1;
      expect(structuredContent.answer.code ?? 200, JSON.stringify([name, args])).toBeLessThan(500);
    }),
    { numRuns: RUNS },
  );
  expect(answered).toBeGreaterThan(0);
  expect((await paper.api('/v2/exclude/list')).data).toEqual(before.data);
  expect((await paper.api('/v2/experiments?archived=1')).data).toEqual([]);
});

test('random messages', async () => {
  const method = fc.constantFrom(
    'initialize',
    'tools/list',
    'tools/call',
    'ping',
    'resources/list',
    'logging/setLevel',
    'notifications/cancelled',
  );
  const message = fc.oneof(
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.string(),
    fc
      .record(
        { jsonrpc: fc.constant('2.0'), id: fc.oneof(fc.integer(), fc.string()), method, params: fc.jsonValue() },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value)),
  );
  await fc.assert(
    fc.asyncProperty(message, async (body) => {
      const response = await fetch(`${paper.url}/mcp`, {
        method: 'POST',
        headers: {
          ...paper.keys(paper.room.secret),
          Accept: 'application/json, text/event-stream',
          'Content-Type': 'application/json',
        },
        body,
      });
      expect(response.status, body).toBeLessThan(500);
      const text = await response.text();
      if (text !== '') expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0' });
    }),
    { numRuns: RUNS },
  );
});
