// An engine without memory for a question, or without room for what is stored: it is away, as one that does not answer, and lists come
// from memory.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StoreUnavailableError } from '../../server/errors.ts';
import { connect } from '../../server/storage/connect.ts';
import type { Engine } from '../../server/storage/engine.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await connect({ kind: 'embedded', path: join(makeDataDir(), 'engine') });
});
afterAll(async () => {
  await engine.close();
  await removeDataDirs();
});

const fail = (code: number, message = 'as if') =>
  engine.rows(`SELECT throwIf(1, '${message}', toInt16(${code})) SETTINGS allow_custom_error_code_in_throwif = 1`).then(
    () => undefined,
    (error: unknown) => error,
  );

test('a question that the engine has no memory for says so, and may be asked again', async () => {
  for (const code of [241, 173]) {
    const error = await fail(code);
    expect(error).toBeInstanceOf(StoreUnavailableError);
    expect(error).toMatchObject({
      message: 'The database has not enough memory now. Ask about less, or try again later.',
    });
  }
  // A mistake of ours.
  expect(await fail(62)).not.toBeInstanceOf(StoreUnavailableError);
});

test('a statement that the disk has no room for says so, under any of the codes that the engine has for it', async () => {
  for (const failure of [
    fail(243),
    fail(75, 'errno: 28, strerror: No space left on device'),
    fail(1001, 'Disk quota exceeded'),
  ]) {
    const error = await failure;
    expect(error).toBeInstanceOf(StoreUnavailableError);
    expect(error).toMatchObject({ message: 'The disk of the database is full: make room on it, then try again.' });
  }
  expect(await fail(75)).not.toBeInstanceOf(StoreUnavailableError);
});
