// `afterword migrate --json`: one document on standard output, whatever is logged.
import { afterAll, expect, test } from 'vitest';
import { VERSION } from '../../server/storage/schema/schema.ts';
import { runCommand } from '../support/command.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';

afterAll(removeDataDirs);

test('says which version the schema has, and then that nothing is to be done', async () => {
  const dataDir = makeDataDir();
  const migrate = async (...words: string[]) => {
    const { code, stdout } = await runCommand(['migrate', '--json', ...words, '--data', dataDir]);
    return { code, said: JSON.parse(stdout) };
  };
  expect(await migrate()).toEqual({ code: 0, said: { schema: VERSION } });
  expect(await migrate('--plan')).toEqual({ code: 0, said: [] });
});
