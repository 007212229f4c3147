// The help of all commands, as it stands on a terminal, and as `afterword help` finds it; options that exclude each
// other, and empty ones.
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

test.each([
  [['lists', 'paper.example', '--limit', '5', '--limit', '6'], '--limit takes one value, and is given twice'],
  [['site', 'change', 'paper.example', '--timezone=UTC', '--timezone=UTC'], '--timezone takes one value'],
  [['backup', '/nowhere/backups', '--data', '/nowhere/a', '--data', '/nowhere/b'], '--data takes one value'],
  [
    ['lists', 'paper.example', '--days', '3', '--from', '2024-05-01'],
    "'--days <number>' cannot be used with option '--from",
  ],
])('%j would let one value win, and is refused', async (words, sentence) => {
  expect(await runInProcess(words)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
});

test.each([
  [['serve', '--data', ''], '--data is given with an empty value: give it one, or leave --data out.'],
  [['serve', '--thumbnails='], '--thumbnails is given with an empty value'],
  [['forget', '--visitor', 'v', '--site', ''], '--site is given with an empty value'],
  [['lists', 'paper.example', '--from', ' '], '--from is given with an empty value'],
  [['series', 'paper.example', '--section', 'World', '--section', ''], '--section is given with an empty value'],
  [['backup', ''], '<folder> is given with an empty value: give it one.'],
  [['import', 'views', 'paper.example', ''], '<file> is given with an empty value'],
  [['site', 'show', ''], '<site-id> is given with an empty value'],
])('%j holds a variable that is not set, and is refused before anything is done', async (words, sentence) => {
  const data = words[0] === 'serve' ? [] : ['--data', '/nowhere/a'];
  const refused = await runInProcess([...words, ...data]);
  expect(refused).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(`error: ${sentence}`) });
});
