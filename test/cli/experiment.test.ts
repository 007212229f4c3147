// `afterword experiment …` beside a running server and without one.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';
import { doneInProcess, runInProcess } from '../support/commandInProcess.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';
import { copyEmptyDatabase } from '../support/emptyDatabase.ts';
import { getJson } from '../support/http.ts';
import { addSite, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await removeDataDirs();
});

let tries = 0;
const newId = () => {
  tries += 1;
  return `paper-${tries}.example`;
};

const command = (...words: string[]) => runInProcess([...words, '--data', server.dataDir]);
const done = (...words: string[]) => doneInProcess([...words, '--data', server.dataDir]);

const GRID = [
  '--slot',
  'after-article',
  '--variant',
  'control 50',
  '--variant',
  "grid 50 layout=grid limit=6 heading='Read on'",
];

test('an experiment is added, listed, stopped and archived, and the server answers it', async () => {
  const site = await addSite(server, newId());
  const { apikey: id, secret } = site;
  expect(await done('experiment', 'list', id)).toBe('No experiment.\n');
  expect(
    await done('experiment', 'add', id, 'grid-or-list', ...GRID, '--readers', '20000'),
  ).toBe(`Experiment grid-or-list is running.
slot     after-article
goal     clicks
ends     after 20000 readers
control: 50%
grid: 50%, layout=grid, heading=Read on, limit=6
`);
  expect(await done('experiment', 'list', id)).toMatch(
    /^grid-or-list {2}after-article {2}control 50, grid 50 {2}clicks {2}running {2}\d{4}-\d\d-\d\d$/m,
  );
  const { data } = await getJson<{ data: object[] }>(server, `/v2/experiments?apikey=${id}&secret=${secret}`);
  expect(data).toMatchObject([
    { name: 'grid-or-list', readers: 20_000, variants: [{}, { heading: 'Read on', limit: 6 }] },
  ]);
  expect(await done('experiment', 'show', id, 'grid-or-list')).toBe(`Experiment grid-or-list is running.
grid: clicks a list 0.00% against 0.00% of control; too few readers to say more.
This is not decided: 0 of 20,000 planned readers came.
Let it run.

VARIANT  READERS  METRIC                 RATE          DIFFERENCE
control  0        clicks a list          0.00%
                  quality clicks a list  0.00%
                  views a visit          0.000
                  bounce rate            0.00%
                  layout shift           not measured
                  errors a list          not measured
grid     0        clicks a list          0.00%         too little is known
                  quality clicks a list  0.00%         too little is known
                  views a visit          0.000         too little is known
                  bounce rate            0.00%         too little is known
                  layout shift           not measured
                  errors a list          not measured
`);
  expect(JSON.parse(await done('experiment', 'show', id, 'grid-or-list', '--json'))).toMatchObject({
    name: 'grid-or-list',
    result: { verdict: 'wait', readers: 0, variants: [{ name: 'control' }, { name: 'grid' }] },
  });
  expect(await done('experiment', 'stop', id, 'grid-or-list')).toBe(
    'Experiment grid-or-list is stopped: all readers get the control.\n',
  );
  expect(await done('experiment', 'show', id, 'grid-or-list')).toMatch(
    /^Experiment grid-or-list is stopped, ended \d{4}-\d\d-\d\d by a command\.$/m,
  );
  expect(await done('experiment', 'archive', id, 'grid-or-list')).toBe('Experiment grid-or-list is archived.\n');
  expect(await done('experiment', 'list', id)).toBe('No experiment.\n');
  expect(await done('experiment', 'list', id, '--archived')).toContain('archived');
  expect(await done('experiment', 'restore', id, 'grid-or-list')).toBe('Experiment grid-or-list is listed again.\n');
  expect(await done('experiment', 'list', id)).toContain('grid-or-list');
});

test('one that is not there is not shown', async () => {
  const { apikey: id } = await addSite(server, newId());
  const refused = await command('experiment', 'show', id, 'none');
  const sentence = 'There is no experiment none. There is none yet.';
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) });
});

test('what else is changed of a site leaves its experiments as they are', async () => {
  const { apikey: id } = await addSite(server, newId());
  await done('experiment', 'add', id, 'grid-or-list', ...GRID);
  await done('site', 'change', id, '--timezone', 'Europe/Berlin');
  await done('site', 'rotate-secret', id, '--both');
  expect(await done('experiment', 'list', id)).toContain('grid-or-list');
});

describe('is refused with what to do', () => {
  test.each<[string, string[], number, string]>([
    [
      'an unknown layout',
      ['--variant', 'a 50', '--variant', 'b 50 layout=wall'],
      2,
      'The variant b takes a layout of list, grid, row, compact, not "wall".',
    ],
    [
      'shares that add up to 101',
      ['--variant', 'a 50', '--variant', 'b 51'],
      2,
      'The shares add up to 101: they have to add up to 100.',
    ],
    ['markup', ['--variant', 'a 50', '--variant', 'b 50 heading="<b>x</b>"'], 2, 'without markup'],
    [
      'an unknown setting',
      ['--variant', 'a 50', '--variant', 'b 50 color=red'],
      2,
      'A variant sets layout, heading, limit, slot, ranking, rules, list, not color.',
    ],
    ['no percent', ['--variant', 'a'], 2, 'It takes a name, percent and settings'],
    ['half a quotation', ['--variant', "b 50 heading='Read on"], 2, 'It takes a name, percent and settings'],
    [
      'an unknown goal',
      ['--variant', 'a 50', '--variant', 'b 50', '--goal', 'fame'],
      2,
      'It takes one of clicks, quality_clicks, views.',
    ],
    [
      'too few readers',
      ['--variant', 'a 50', '--variant', 'b 50', '--readers', '10'],
      2,
      'Give a whole number of readers from 1000',
    ],
    ['no variant', [], 2, "required option '--variant <words>' not specified"],
  ])('%s', async (_, words, code, sentence) => {
    const { apikey: id } = await addSite(server, newId());
    const refused = await command('experiment', 'add', id, 'e', '--slot', 's', ...words);
    expect(refused).toMatchObject({ code, stderr: expect.stringContaining(sentence) });
    expect(await done('experiment', 'list', id, '--archived')).toBe('No experiment.\n');
  });

  test('a site that is not there', async () => {
    const refused = await command('experiment', 'list', 'nowhere.example');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no site nowhere.example.') });
  });
});

test('without a server, an experiment is there for the next command', async () => {
  const dataDir = makeDataDir();
  await copyEmptyDatabase(join(dataDir, 'engine'));
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await runCommand([...words, '--data', dataDir]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };
  await run('site', 'add', 'alone.example', '--no-discover');
  await run('experiment', 'add', 'alone.example', 'grid-or-list', ...GRID);
  expect(await run('experiment', 'list', 'alone.example')).toContain('control 50, grid 50');
});
