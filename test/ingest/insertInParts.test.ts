// Lines that cannot be taken are found among those that can, whatever fails on the way.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blankRow } from '../../server/ingest/eventRow.ts';
import { insertInParts } from '../../server/ingest/queue/insertInParts.ts';
import { UnwritableRowsError } from '../../server/ingest/queue/unwritable.ts';
import { toEventLines } from '../../server/storage/eventLine.ts';
import { newPage, newsroom, now, site } from './newsroom.ts';

const room = newsroom();
const pause = () => Promise.resolve();

const aLine = fc.record({
  text: fc.string({ unit: fc.constantFrom('a', 'b', 'é'), maxLength: 30 }),
  bad: fc.boolean(),
});

test('each good line is stored once, and each bad one reported, also when the engine goes away in between', async () => {
  const someLines = fc.array(aLine, { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(someLines, fc.array(fc.nat(20), { maxLength: 4 }), async (lines, failures) => {
      const all = lines.map(({ text, bad }, at) => `${at}${bad ? '!' : ''}${text}\n`);
      const stored = new Map<string, string>();
      let calls = 0;
      const insert = async ({ text }: { text: Buffer }, token: string) => {
        calls++;
        // Sometimes after it has stored the lines.
        if (failures.includes(calls) && calls % 2 === 0) throw new Error('away');
        if (text.includes('!')) throw new UnwritableRowsError('never');
        const known = stored.get(token);
        if (known === undefined) stored.set(token, text.toString());
        else expect(known).toBe(text.toString());
        if (failures.includes(calls)) throw new Error('away');
      };
      const work = () => insertInParts({ columns: [], text: Buffer.from(all.join('')) }, 'token', insert, { pause });
      let refused = await work().catch(() => 'again' as const);
      while (refused === 'again') refused = await work().catch(() => 'again' as const);
      const bad = all.filter((line) => line.includes('!'));
      expect(refused?.text.toString() ?? '').toBe(bad.join(''));
      expect(refused?.events ?? 0).toBe(bad.length);
      const good = [...stored.values()]
        .join('')
        .split('\n')
        .filter((line) => line !== '');
      expect(good.sort()).toEqual(
        all
          .filter((line) => !line.includes('!'))
          .map((line) => line.trimEnd())
          .sort(),
      );
    }),
    { seed: 1, numRuns: 300 },
  );
});

test('where every line is bad it is not asked line by line', async () => {
  let calls = 0;
  const insert = () => {
    calls++;
    return Promise.reject(new UnwritableRowsError('never'));
  };
  const text = Buffer.from('a line\n'.repeat(50_000));
  expect(await insertInParts({ columns: [], text }, 'token', insert, { pause })).toMatchObject({
    events: 50_000,
    text,
  });
  expect(calls).toBeLessThan(1_000);
});

test('the engine has what stood around a line it refused, and has it once', async () => {
  const { columns, appendLines } = room.store.events;
  const url = newPage();
  const row = { ...blankRow(site.id, url), day: '2026-11-20', time: now };
  const [lines, line] = [
    toEventLines(Array.from({ length: 20 }, () => row)).toString(),
    toEventLines([row]).toString(),
  ];
  const bad = line.replace('\tpageview\t', '\tpagevoid\t');
  const text = Buffer.from(lines + bad + lines);
  for (let times = 0; times < 2; times++) {
    expect(await insertInParts({ columns, text }, url, appendLines, { pause })).toMatchObject({
      text: Buffer.from(bad),
      events: 1,
    });
  }
  expect(await room.stored(url)).toHaveLength(40);
  const sql = 'SELECT sum(views) AS n FROM post_days WHERE post = sipHash64({url:String})';
  expect(await room.store.traffic.run({ sql, params: { url } })).toMatchObject([{ n: 40 }]);
});

test('a line that is refused once, and taken the second time, is stored once and not set aside', async () => {
  const refusedOnce = new Set<string>();
  const stored: string[] = [];
  const insert = async ({ text }: { text: Buffer }) => {
    const lines = text.toString();
    if (lines.includes('!') && !(lines.length === 3 && refusedOnce.has(lines))) {
      refusedOnce.add(lines);
      throw new UnwritableRowsError('not yet');
    }
    stored.push(lines);
  };
  const text = Buffer.from('a\nb!\nc\n');
  expect(await insertInParts({ columns: [], text }, 'token', insert, { pause })).toBeUndefined();
  expect(stored.join('').split('\n').sort().join('')).toBe('ab!c');
});
