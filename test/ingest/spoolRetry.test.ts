// Refused rows that are tried again: each is stored once, however often the retry is broken off, and none is lost.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createSpool } from '../../server/ingest/queue/spool.ts';
import { UnwritableRowsError } from '../../server/ingest/queue/unwritable.ts';

const folder = mkdtempSync(join(tmpdir(), 'afterword-retry-'));
afterAll(() => rmSync(folder, { recursive: true }));

let dirs = 0;
/** Rows in a file an earlier version of the program set aside. */
function setAside(rows: readonly string[]): string {
  const dir = join(folder, String(dirs++));
  mkdirSync(join(dir, 'refused'), { recursive: true });
  writeFileSync(join(dir, 'refused', '000000000007-abc.tsv'), `name\tkey\n${rows.map((row) => `${row}\n`).join('')}`);
  return dir;
}

/** Takes rows as the engine does: nothing is stored twice under a token. Rows are refused for as long as their number says. */
function engine(outages: readonly number[]) {
  const stored = new Map<string, string>();
  let calls = 0;
  let era = 0;
  return {
    later: () => void era++,
    rows: () => [...stored.values()].join('').split('\n').slice(0, -1).sort(),
    async insert({ text }: { text: Buffer }, token: string) {
      calls += 1;
      const rows = text.toString();
      if (outages.includes(calls) && calls % 2 === 0) throw new Error('away');
      const known = stored.get(token);
      if (known === undefined) {
        if (rows.match(/\d(?=\tuntil)/g)?.some((until) => Number(until) > era)) throw new UnwritableRowsError('never');
        stored.set(token, rows);
      }
      if (outages.includes(calls)) throw new Error('connection reset');
    },
  };
}

const someRows = fc.array(fc.nat(3), { minLength: 1, maxLength: 25 });

test('every row is stored once in the end, also when the retry is broken off and begun again', async () => {
  await fc.assert(
    fc.asyncProperty(someRows, fc.array(fc.nat(40), { maxLength: 8 }), async (eras, outages) => {
      const rows = eras.map((era, at) => `row ${at} ${era}\tuntil`);
      const dir = setAside(rows);
      const { insert, later, rows: stored } = engine(outages);
      const open = () => createSpool({ dir, columns: ['name', 'key'], insert });
      for (let round = 0; round < 20; round++) {
        const [result] = await open().retry();
        if (result?.problem === undefined) later();
        const left = (await open().report()).files.reduce((sum, { events = 0 }) => sum + events, 0);
        // What is not stored is still there.
        expect(stored().length + left).toBeGreaterThanOrEqual(rows.length);
        if (left === 0) break;
      }
      expect(stored()).toEqual([...rows].sort());
      expect((await open().report()).files).toEqual([]);
    }),
    { numRuns: 40 },
  );
}, 300_000);

test('rows that are still in the log, too, are left to it', async () => {
  const dir = setAside(['a\t1']);
  writeFileSync(join(dir, '000000000007-abc.tsv'), 'name\tkey\na\t1\n');
  const { insert, rows } = engine([]);
  const [result] = await createSpool({ dir, columns: ['name', 'key'], insert }).retry();
  expect(result).toMatchObject({
    file: 'refused/000000000007-abc.tsv',
    stored: 0,
    problem: expect.stringMatching('spool'),
  });
  expect(rows()).toEqual([]);
  expect(readdirSync(join(dir, 'refused'))).toHaveLength(1);
});

test('a damaged row of a refused file is kept among the damaged ones, and a wrong name is an error of its own', async () => {
  const dir = setAside(['a\t1', 'no cells', 'b\t2']);
  const { insert, rows } = engine([]);
  const spool = createSpool({ dir, columns: ['name', 'key'], insert });
  expect(await spool.retry(['other.tsv'])).toMatchObject([{ file: 'other.tsv', problem: expect.any(String) }]);
  expect(await spool.retry(['000000000007-abc.tsv'])).toMatchObject([{ stored: 2, refused: 0, damaged: 1 }]);
  expect(rows()).toEqual(['a\t1', 'b\t2']);
  expect((await spool.report()).files).toMatchObject([{ kind: 'damaged', events: 1 }]);
});
