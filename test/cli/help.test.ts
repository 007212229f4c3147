// The help of all commands, as it stands on a terminal, and as `afterword help` finds it.
import { expect, test } from 'vitest';
import { runInProcess } from '../support/commandInProcess.ts';

test('no help of any command is wider than a terminal of 80 columns', async () => {
  const asked: string[] = [];
  const wide: string[] = [];
  const queue: string[][] = [[]];
  for (let words = queue.shift(); words !== undefined; words = queue.shift()) {
    const { stdout } = await runInProcess([...words, '--help']);
    asked.push(words.join(' '));
    const commands = /\nCommands:\n((?: .*\n)+)/.exec(stdout)?.[1] ?? '';
    for (const [, name] of commands.matchAll(/^ {2}([a-z]\S*)/gm)) if (name !== 'help') queue.push([...words, name!]);
    for (const line of stdout.split('\n')) if ([...line].length > 80) wide.push(`${words.join(' ')}: ${line}`);
  }
  expect(asked).toEqual(expect.arrayContaining(['serve', 'import views', 'annotation list']));
  expect(wide).toEqual([]);
});

test.each([
  [['help'], 'afterword [options] [command]'],
  [['help', 'site'], 'afterword site [options] [command]'],
  [['help', 'site', 'add'], 'afterword site add [options] <site-id>'],
  [['help', 'backup', 'verify'], 'afterword backup verify [options]'],
])('%j prints the usage of that command', async (words, usage) => {
  const { code, stdout } = await runInProcess(words);
  expect({ code, usage: /^Usage: (.*)$/m.exec(stdout)?.[1]?.slice(0, usage.length) }).toEqual({ code: 0, usage });
});
