// `afterword help`: the help of the command that is named, with as many words as it has.
import { expect, test } from 'vitest';
import { runInProcess } from '../support/commandInProcess.ts';

test.each([
  [['help'], 'afterword [options] [command]'],
  [['help', 'site'], 'afterword site [options] [command]'],
  [['help', 'site', 'add'], 'afterword site add [options] <site-id>'],
  [['help', 'backup', 'verify'], 'afterword backup verify [options]'],
])('%j prints the usage of that command', async (words, usage) => {
  const { code, stdout } = await runInProcess(words);
  expect({ code, usage: /^Usage: (.*)$/m.exec(stdout)?.[1]?.slice(0, usage.length) }).toEqual({ code: 0, usage });
});
