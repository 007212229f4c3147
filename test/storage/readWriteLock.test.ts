// The order of writes and exclusive work at the lock in front of an engine, and what is refused during a move.
import { expect, test } from 'vitest';
import type { Engine } from '../../server/storage/engine.ts';
import { createReadWriteLock } from '../../server/storage/readWriteLock.ts';

/** An engine whose statements end when `end` is called, in the order in which they reached it. */
function fakeEngine() {
  const reached: { sql: string; end(): void }[] = [];
  const command = (sql: string) => new Promise<void>((end) => reached.push({ sql, end }));
  return { engine: { command } as unknown as Engine, reached, sqls: () => reached.map(({ sql }) => sql) };
}

const settled = () => new Promise((done) => setImmediate(done));

test('writes pass side by side; exclusive work waits for them, and later ones wait for it', async () => {
  const { engine, reached, sqls } = fakeEngine();
  const lock = createReadWriteLock(engine);
  const writes = [lock.engine.command('one'), lock.engine.command('two')];
  const alone = lock.exclusive(() => engine.command('alone'));
  writes.push(lock.engine.command('later'));
  await settled();
  expect(sqls()).toEqual(['one', 'two']);
  reached[0]!.end();
  await settled();
  expect(sqls()).toEqual(['one', 'two']);
  reached[1]!.end();
  await settled();
  expect(sqls()).toEqual(['one', 'two', 'alone']);
  reached[2]!.end();
  await alone;
  await settled();
  expect(sqls()).toEqual(['one', 'two', 'alone', 'later']);
  reached[3]!.end();
  await Promise.all(writes);
});

test('exclusive works follow one another', async () => {
  const { engine, reached, sqls } = fakeEngine();
  const lock = createReadWriteLock(engine);
  const works = ['first', 'second'].map((sql) => lock.exclusive(() => engine.command(sql)));
  await settled();
  expect(sqls()).toEqual(['first']);
  reached[0]!.end();
  await works[0];
  await settled();
  expect(sqls()).toEqual(['first', 'second']);
  reached[1]!.end();
  await works[1];
});

test('exclusive work that fails lets writes pass again', async () => {
  const { engine, reached } = fakeEngine();
  const lock = createReadWriteLock(engine);
  await expect(lock.exclusive(() => Promise.reject(new Error('The disk is full.')))).rejects.toThrow('disk is full');
  const write = lock.engine.command('one');
  await settled();
  reached[0]!.end();
  await write;
});

test.each<[sql: string, passes: boolean]>([
  ["ALTER TABLE salts DELETE WHERE day < '2030-01-01'", true],
  ["ALTER TABLE events DELETE WHERE site = 'paper.example'", false],
  ['ALTER TABLE salts_of_others DELETE WHERE 1', false],
  ["  ALTER TABLE events DROP PARTITION '202501'", false],
  ['ALTER TABLE posts UPDATE title = 1 WHERE 1', false],
  ['ALTER TABLE events ADD COLUMN more UInt8', true],
])('while a database is moved: %s', async (sql, passes) => {
  const { engine, reached } = fakeEngine();
  const lock = createReadWriteLock(engine);
  lock.setMoving(true);
  const statement = lock.engine.command(sql).then(
    () => true,
    ({ name }: Error) => name === 'MoveUnderWayError' && 'refused',
  );
  await settled();
  reached[0]?.end();
  expect(await statement).toBe(passes || 'refused');
  lock.setMoving(false);
  const again = lock.engine.command(sql);
  await settled();
  reached.at(-1)!.end();
  await again;
});
