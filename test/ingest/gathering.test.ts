// Gathering: who leaves with whom, and what happens when a write fails or too many wait.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OverloadedError } from '../../server/errors.ts';
import { createGathering, type Gathering } from '../../server/ingest/queue/gathering.ts';
import type { SentGroup } from '../../server/ingest/queue/writer.ts';

/** A writer whose groups reach the disk, and whose senders are answered, when told to. */
function slowWriter() {
  const writes: {
    text: string;
    events: number;
    senders: number;
    land(): void;
    answer(): void;
    fail(error: Error): void;
  }[] = [];
  const write = ({ text, events, senders }: SentGroup) =>
    new Promise<{ answered: Promise<void> }>((land, fail) => {
      let answer = () => {};
      const answered = new Promise<void>((go) => (answer = go));
      const landed = () => land({ answered });
      writes.push({ text: text.toString(), events, senders, land: landed, answer: () => answer(), fail });
    });
  return { writes, write };
}

/** Writes some lines and adds them, as a sender does. */
function send(gathering: Gathering, lines: string, events: number): Promise<void> {
  gathering.lines.text(lines);
  return gathering.add(events);
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const untilWritten = (writes: readonly unknown[], count: number) =>
  expect.poll(() => writes.length, { timeout: 100_000 }).toBe(count);

test('a lonely sender leaves at once; those who come while that is written leave together when it is on the disk', async () => {
  const { writes, write } = slowWriter();
  const gathering = createGathering({ write });
  const first = send(gathering, 'a\n', 1);
  const others = [send(gathering, 'b\n', 1), send(gathering, 'c\nd\n', 2)];
  await turn();
  expect(writes).toMatchObject([{ text: 'a\n', events: 1, senders: 1 }]);
  writes[0]!.land();
  await untilWritten(writes, 2);
  expect(writes[1]).toMatchObject({ text: 'b\nc\nd\n', events: 3, senders: 2 });
  // Written is not answered.
  expect(gathering.depth()).toBe(4);
  writes[0]!.answer();
  await first;
  expect(gathering.depth()).toBe(3);
  writes[1]!.land();
  writes[1]!.answer();
  await Promise.all(others);
  expect(gathering.depth()).toBe(0);
});

test('a failed write fails its group only', async () => {
  const { writes, write } = slowWriter();
  const gathering = createGathering({ write });
  const first = send(gathering, 'a\n', 1);
  const second = send(gathering, 'b\n', 1);
  await turn();
  writes[0]!.fail(new Error('disk full'));
  await expect(first).rejects.toThrow('disk full');
  await untilWritten(writes, 2);
  writes[1]!.land();
  writes[1]!.answer();
  await second;
});

test('more than may wait is refused, and taken again when there is room', async () => {
  const { writes, write } = slowWriter();
  const gathering = createGathering({ write, maxWaiting: 3 });
  const taken = send(gathering, 'a\nb\n', 2);
  expect(() => gathering.add(2)).toThrow(OverloadedError);
  await turn();
  writes[0]!.land();
  writes[0]!.answer();
  await taken;
  const again = send(gathering, 'c\nd\n', 2);
  await untilWritten(writes, 2);
  writes[1]!.land();
  writes[1]!.answer();
  await again;
});

test('draining writes what waits, then takes no more', async () => {
  const { writes, write } = slowWriter();
  const gathering = createGathering({ write });
  const all = [send(gathering, 'a\n', 1), send(gathering, 'b\n', 1)];
  await turn();
  const drained = gathering.drain();
  expect(() => send(gathering, 'c\n', 1)).toThrow(OverloadedError);
  for (const at of [0, 1]) {
    await untilWritten(writes, at + 1);
    writes[at]!.land();
    writes[at]!.answer();
  }
  await drained;
  await Promise.all(all);
});

test('lines of any script and length arrive as they were sent', async () => {
  const someLines = fc.array(fc.string({ unit: 'binary', maxLength: 400 }), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(someLines, fc.integer({ min: 1, max: 300 }), async (lines, times) => {
      let arrived = '';
      const write = async ({ text }: SentGroup) => {
        arrived += text.toString();
        return { answered: Promise.resolve() };
      };
      const gathering = createGathering({ write });
      const sent = lines.map((line) => `${line.repeat(times)}\n`);
      await Promise.all(sent.map((line) => send(gathering, line, 1)));
      expect(arrived).toBe(sent.join(''));
    }),
    { seed: 1, numRuns: 50 },
  );
});

test.each(Array.from({ length: 12 }, (_, turns) => turns))(
  'who comes %i turns after the last group was answered is written too',
  async (turns) => {
    const gathering = createGathering({ write: async () => ({ answered: Promise.resolve() }) });
    await send(gathering, 'a\n', 1);
    for (let left = turns; left > 0; left -= 1) await undefined;
    await send(gathering, 'b\n', 1);
    expect(gathering.depth()).toBe(0);
  },
);
