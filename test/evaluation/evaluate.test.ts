// The yardstick itself: what the measures say of known orders, what files are accepted, what the command prints.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseArticleSet } from '../../server/evaluation/articleSet.ts';
import { evaluate, RANKING_COUNT } from '../../server/evaluation/evaluate.ts';
import { qualityOf } from '../../server/evaluation/measures.ts';
import { runCommand } from '../support/command.ts';

const wanted = new Set(['a', 'b']);

test.each([
  ['both first', ['a', 'b', 'x'], { ndcg: 1, reciprocal: 1, recall: 1, precision: 0.2 }],
  ['one, second', ['x', 'a'], { ndcg: 1 / Math.log2(3) / (1 + 1 / Math.log2(3)), reciprocal: 0.5, recall: 0.5 }],
  ['none', ['x', 'y'], { ndcg: 0, reciprocal: 0, recall: 0, precision: 0 }],
  ['nothing', [], { ndcg: 0, reciprocal: 0, recall: 0, precision: 0 }],
  ['eleventh', [...'cdefghijkl', 'a'], { ndcg: 0, reciprocal: 1 / 11, recall: 0.5, precision: 0 }],
])('%s', (_, order, expected) => {
  expect(qualityOf(order, wanted)).toMatchObject(
    Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, expect.closeTo(value, 10)])),
  );
});

const article = (id: string, title: string) =>
  JSON.stringify({
    id,
    url: `https://a.example/${id}`,
    title,
    full_content: `${title} and more`,
    pub_date: '2026-01-01',
  });
const posts = ['ferry harbour', 'ferry ticket', 'harbour ticket', 'bread oven', 'bread flour', 'oven flour']
  .map((title, at) => article(String(at), title))
  .join('\n');
const related = ['{"q":"0","rel":{"1":1,"2":1}}', '{"q":"3","rel":{"4":1,"5":1}}'].join('\n');

test('every ranking is measured, and words find what belongs', () => {
  const steps = [...evaluate(parseArticleSet(posts, related), () => 0)];
  const results = steps.flatMap(({ result }) => result ?? []);
  expect(results).toHaveLength(RANKING_COUNT);
  for (const { name, ndcg } of results) if (name !== 'shared tags and date') expect(ndcg).toBeGreaterThan(0);
  expect(results.at(-1)).toMatchObject({ name: 'afterword', ndcg: 1, recall: 1 });
});

describe('files', () => {
  test.each([
    ['no JSON', '{', related, 'Line 1 of the posts is no JSON.'],
    ['no object', '[]', related, 'Line 1 of the posts is no JSON object.'],
    ['no url', '{"id":"1"}', related, 'Line 1 of the posts has no url.'],
    [
      'an unknown post',
      posts,
      '\n{"q":"9","rel":{}}',
      'Line 2 of the related asks for a post that is not among the posts.',
    ],
  ])('%s is refused by line', (_, first, second, message) => {
    expect(() => parseArticleSet(first, second)).toThrow(message);
  });
});

test('the command prints a row for each ranking, and says what is wrong with a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-'));
  try {
    const file = (name: string, content: string) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const files = ['--posts', file('posts.jsonl', posts), '--related', file('related.jsonl', related)];
    const { code, stdout } = await runCommand(['evaluate', '--json', '--data', folder, ...files]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).at(-1)).toMatchObject({ name: 'afterword', ndcg: 1 });

    const refused = await runCommand(['evaluate', '--posts', file('bad', '{'), '--related', join(folder, 'none')]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('Cannot read');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
