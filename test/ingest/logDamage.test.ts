// Bytes of the write-ahead log that are changed, zeroed, lost or inserted while no process looks: each costs at most
// the row it is in, what is missing is reported to the event, and no start is stopped.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { openWriteAheadLog } from '../../server/ingest/queue/wal/writeAheadLog.ts';
import { silent } from '../storage/scratch.ts';

const folder = mkdtempSync(join(tmpdir(), 'afterword-damage-'));
afterAll(() => rmSync(folder, { recursive: true }));

const COLUMNS = ['site', 'url', 'count', 'key'];
const HOW = ['flip', 'zero', 'cut', 'insert'] as const;

interface Damage {
  how: (typeof HOW)[number];
  /** Where, as a part of the file. */
  at: number;
  length: number;
  byte: number;
}

type Range = readonly [start: number, end: number];

const aRow = fc.record({
  url: fc.string({ unit: fc.constantFrom('a', 'f', '0', '9', ' ', '/', 'é', '\\t'), maxLength: 40 }),
  seconds: fc.nat(),
});
const someGroups = fc.array(fc.array(aRow, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 6 });
const aDamage: fc.Arbitrary<Damage> = fc.record({
  how: fc.constantFrom(...HOW),
  at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  length: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 300 })),
  byte: fc.oneof(fc.constantFrom(0, 9, 10, 12, 32, 48, 97), fc.integer({ min: 1, max: 255 })),
});

let dirs = 0;
const open = (dir: string, told?: (row: string) => void) =>
  openWriteAheadLog({ dir, columns: COLUMNS, maxBytes: 1e9, log: silent, now: Date.now }, told);

/** A log left behind by a kill. */
async function leaveLog(groups: readonly (readonly string[])[]): Promise<string> {
  const dir = join(folder, String(dirs++));
  const journal = await open(dir);
  for (const rows of groups)
    await journal.append({ text: Buffer.from(rows.map((row) => `${row}\n`).join('')), events: rows.length });
  await journal.close();
  return dir;
}

/** Where rows, their checksums and the lines around them stand in an undamaged file. */
function mapOf(file: Buffer) {
  const rows: { text: string; at: Range; sum: Range }[] = [];
  let controls: Range[] = [];
  let group: { text: string; at: Range }[] = [];
  let start = file.indexOf('\n') + 1;
  for (let end = file.indexOf('\n', start); end !== -1; start = end + 1, end = file.indexOf('\n', start)) {
    const text = file.toString('utf8', start, end);
    if (text.startsWith('\f<')) {
      controls = [[start, end + 1]];
      group = [];
    } else if (text.startsWith('\f>')) {
      // A space and eight digits for each row.
      const first = start + 2;
      rows.push(...group.map((row, n) => ({ ...row, sum: [first + n * 9, first + n * 9 + 9] as const })));
    } else if (text.startsWith('\f=')) controls.push([start, end + 1]);
    else group.push({ text, at: [start, end] });
  }
  return { rows, last: controls };
}

function apply(file: Buffer, damages: readonly Damage[]): { file: Buffer; touches: (range: Range) => boolean } {
  const sorted = damages
    .map((damage) => ({ ...damage, from: Math.floor(damage.at * file.length) }))
    .sort((one, other) => other.from - one.from);
  // From the end, and apart from each other: so places are those of the undamaged file.
  const places = sorted.filter(({ from, length }, n) => n === 0 || from + length < sorted[n - 1]!.from);
  let damaged = Buffer.from(file);
  for (const { how, from, length, byte } of places) {
    const to = Math.min(from + (how === 'flip' ? 1 : length), damaged.length);
    if (how === 'flip') damaged[from] = damaged[from]! ^ (byte || 1);
    else if (how === 'zero') damaged.fill(0, from, to);
    else if (how === 'cut') damaged = Buffer.concat([damaged.subarray(0, from), damaged.subarray(to)]);
    else damaged = Buffer.concat([damaged.subarray(0, from), Buffer.alloc(length % 9, byte), damaged.subarray(from)]);
  }
  const touches = ([start, end]: Range) =>
    places.some(({ how, from, length }) => {
      const to = from + (how === 'flip' ? 1 : length);
      return how === 'insert' ? from > start && from < end : from < end && to > start;
    });
  return { file: damaged, touches };
}

test('what is damaged costs its own rows, the rest is there once and in order, and what is missing is reported to the event', async () => {
  await fc.assert(
    fc.asyncProperty(someGroups, fc.array(aDamage, { minLength: 1, maxLength: 3 }), async (groups, damages) => {
      let number = 0;
      const lines = groups.map((rows) =>
        rows.map(({ url, seconds }) => {
          number += 1;
          return `news.example\t${url}\t${seconds}\t${number + 10 ** 12}`;
        }),
      );
      const dir = await leaveLog(lines);
      const path = join(dir, readdirSync(dir)[0]!);
      const whole = readFileSync(path);
      const { rows, last } = mapOf(whole);
      const { file, touches } = apply(whole, damages);
      writeFileSync(path, file);

      const told: string[] = [];
      const journal = await open(dir, (row) => told.push(row));
      const [left] = [...journal.files()];
      const found = left && (await left.read());
      const recovered = found?.text.toString().split('\n').slice(0, -1) ?? [];
      const said = (found?.damaged ?? 0) + journal.unfinished();
      await journal.close();

      expect(told).toEqual(recovered);
      // Nothing that was never written, and nothing twice.
      const all = rows.map(({ text }) => text);
      expect(all.filter((row) => recovered.includes(row))).toEqual(recovered);
      if (journal.unreadable().length > 0) {
        // A header without any whole group: the file stays.
        expect(readFileSync(path).equals(file)).toBe(true);
        return;
      }
      const untouched = rows.filter(({ at, sum }) => !touches(at) && !touches(sum)).map(({ text }) => text);
      expect(recovered).toEqual(expect.arrayContaining(untouched));
      // A last group whose first and last lines are gone both leaves no trace that it was written.
      if (!last.every(touches)) expect(recovered.length + said).toBe(rows.length);
    }),
    { numRuns: Number(process.env.AFTERWORD_TEST_DAMAGES ?? 300) },
  );
}, 300_000);
