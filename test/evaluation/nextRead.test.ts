// The yardstick for what is read next: what it asks, what it counts, what logs it reads.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { evaluateNextRead, type NextReadResult, type Predictor } from '../../server/evaluation/nextRead.ts';
import { byBehaviour, rankingsOfReaders } from '../../server/evaluation/predictors.ts';
import { ReadingLog, toReading } from '../../server/evaluation/readingLog.ts';
import type { Reading } from '../../server/readers/behaviour/behaviour.ts';
import { createViewReader } from '../../server/readers/viewColumns.ts';
import { runCommand } from '../support/command.ts';
import { runInProcess } from '../support/commandInProcess.ts';

const MINUTE = 60_000;
const start = Date.UTC(2026, 5, 1);

const log = (...views: [minute: number, visitor: string, post: string][]): Reading[] =>
  views.map(([minute, visitor, post]) => ({ time: start + minute * MINUTE, visitor, post }));

function results(predictors: Predictor[], views: Reading[], learned = 0): NextReadResult[] {
  const steps = [...evaluateNextRead(predictors, { log: views, clock: () => 0, learned })];
  return steps.at(-1)!.results!;
}

test('asks for every view that follows another of its session, and never learns from it before', () => {
  const asked: string[] = [];
  const known: string[] = [];
  const spy: Predictor = {
    name: 'spy',
    predict(read) {
      asked.push(`${read.join('')} after ${known.join('')}`);
      return ['x', 'b'];
    },
    learn: ({ post }) => known.push(post),
  };
  const views = log(
    [0, 'ann', 'a'],
    [1, 'bob', 'c'],
    [2, 'ann', 'b'],
    [3, 'ann', 'a'],
    [40, 'ann', 'd'],
    [41, 'ann', 'e'],
  );
  const [result] = results([spy], views);
  // b after a; a again is no question, d begins another session, e follows d.
  expect(asked).toEqual(['a after ac', 'd after acbad']);
  expect(result).toMatchObject({ questions: 2, hitRate: 0.5, reciprocal: 0.25 });
});

test('what is learned first is not asked', () => {
  const views = log([0, 'ann', 'a'], [1, 'ann', 'b'], [2, 'bob', 'a'], [3, 'bob', 'b']);
  expect(results([byBehaviour('ours')], views, 0.5)).toMatchObject([{ questions: 1, hitRate: 1, reciprocal: 1 }]);
});

test('readers with a habit are predicted better by what others read next than by what is popular', () => {
  const posts = [...'abcdefghijklmnopqrstuvwxyz'].flatMap((one) => [`${one}1`, `${one}2`]);
  const views = Array.from({ length: 400 }, (_, i) => {
    const [first, second] = posts.slice(((i * 7) % 26) * 2);
    return log([i * 2, `reader ${i}`, first!], [i * 2 + 1, `reader ${i}`, second!]);
  }).flat();
  const [popular, , rules, alike, ours] = results(rankingsOfReaders(undefined), views, 0.5);
  for (const one of [rules!, alike!, ours!]) expect(one).toMatchObject({ hitRate: 1, reciprocal: 1 });
  expect(popular!.reciprocal).toBeLessThan(0.2);
});

test.each([
  ['our own names', { time: '2026-06-01T00:00:00Z', visitor: 'ann', post: 'a' }],
  ['an export of views', { date: '2026-06-01T00:00:00Z', action: 'pageview', visitor_hash: 'ann', url: 'a' }],
  ['seconds, sessions and items', { timestamp: String(start / 1000), session_id: 'ann', item_id: 'a' }],
  ['numbers', { time: start, visitor: 'ann', post: 'a' }],
])('a log with %s is read', (_, record) => {
  expect(toReading(createViewReader({})(record))).toEqual({ time: start, visitor: 'ann', post: 'a' });
});

test.each([
  ['nothing', undefined],
  ['no time', { visitor: 'ann', post: 'a' }],
  ['no post', { time: start, visitor: 'ann' }],
  ['a heartbeat', { time: start, visitor: 'ann', post: 'a', action: 'heartbeat' }],
])('%s is no view', (_, record) => {
  expect(toReading(createViewReader({})(record))).toBeUndefined();
});

test('a log is put in order of time, and who has no id stays without one', () => {
  const views = log([2, 'ann', 'b'], [1, 'ann', 'a'], [3, 'bob', 'a'], [4, '', 'c'], [5, '0', 'c']);
  const kept = new ReadingLog();
  for (const view of views) kept.add(view);
  const read = [...kept.inOrder()];
  expect(read.map(({ post }) => post).join('')).toBe('abacc');
  expect(read.map(({ time }) => time)).toEqual(views.map(({ time }) => time).sort((a, b) => a - b));
  const [first, second, third, ...none] = read.map(({ visitor }) => visitor);
  expect(first).toBe(second);
  expect(third).not.toBe(first);
  expect(none).toEqual(['', '']);
});

describe('afterword evaluate --log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const rows = Array.from({ length: 40 }, (_, i) => [start + i * MINUTE, `r${i >> 1}`, i % 2 === 0 ? '/a' : '/b']);
  const published = (heading: string) =>
    [heading, ...rows.map(([time, visitor, post]) => [visitor, post, time].join('\t'))].join('\n');

  test.each([
    ['CSV', 'log.csv', ['time,visitor,post', ...rows.map((row) => row.join())].join('\n')],
    ['TSV of sessions and items, gzipped', 'log.tsv.gz', gzipSync(published('session_id\titem_id\ttime'))],
    ['NDJSON', 'log.ndjson', rows.map(([date, visitor, url]) => JSON.stringify({ date, visitor, url })).join('\n')],
  ])('predicts from %s', async (_, name, content) => {
    const { code, stdout } = await runCommand(['evaluate', '--json', '--log', file(name, content)]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).at(-1)).toMatchObject({ name: 'afterword, readers alone', hitRate: 1, questions: 10 });
  });

  test('reads columns of any name, in any order of time', async () => {
    const [heading, ...lines] = published('who\twhat\twhen').split('\n');
    const log = file('own.tsv', [heading, ...lines.reverse()].join('\n'));
    const names = ['--visitor-column', 'who', '--item-column', 'what', '--time-column', 'when'];
    const { code, stdout } = await runCommand(['evaluate', '--json', '--log', log, ...names]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).at(-1)).toMatchObject({ hitRate: 1, questions: 10 });
  });

  test('says what is missing', async () => {
    const nothing = await runInProcess(['evaluate']);
    expect(nothing).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--posts and --related, or --log, or a Site ID'),
    });
    const none = await runInProcess(['evaluate', '--log', join(folder, 'none.csv')]);
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('Cannot read') });
    const cut = await runInProcess(['evaluate', '--posts', file('cut.jsonl.gz', 'no gzip'), '--related', 'x.tsv']);
    expect(cut).toMatchObject({ code: 1, stderr: expect.stringMatching(/Cannot read .*cut\.jsonl\.gz: /) });
    const lonely = await runInProcess(['evaluate', '--log', file('one.csv', 'time,visitor,post\n1,ann,a\n')]);
    expect(lonely).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing to predict') });
  });
});
