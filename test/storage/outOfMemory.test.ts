// An engine without memory for a question: it is away, as one that does not answer, and lists come from memory.
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { StoreUnavailableError } from '../../server/errors.ts';
import { connect } from '../../server/storage/connect.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';

afterAll(removeDataDirs);

test('a question that the engine has no memory for says so, and may be asked again', async () => {
  const engine = await connect({ kind: 'embedded', path: join(makeDataDir(), 'engine') });
  const fail = (code: number) =>
    engine.rows(`SELECT throwIf(1, 'as if', toInt16(${code})) SETTINGS allow_custom_error_code_in_throwif = 1`).then(
      () => undefined,
      (error: unknown) => error,
    );
  for (const code of [241, 173]) {
    const error = await fail(code);
    expect(error).toBeInstanceOf(StoreUnavailableError);
    expect(error).toMatchObject({
      message: 'The database has not enough memory now. Ask about less, or try again later.',
    });
  }
  // A mistake of ours.
  expect(await fail(62)).not.toBeInstanceOf(StoreUnavailableError);
  await engine.close();
});
