// `afterword series`: what /analytics/series answers, in a terminal, as JSON and for a spreadsheet.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../server/app.ts';
import { createProgram } from '../../server/cli/program.ts';
import { toOpenApi } from '../../server/reference/openapi.ts';
import { runCommand } from '../support/command.ts';
import { runInProcess } from '../support/commandInProcess.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { getJson, postJson } from '../support/http.ts';
import { addSite, allStored, startServer, type TestServer, type TestSite } from '../support/server.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';

let server: TestServer;
let site: TestSite;

const series = (...words: string[]) => runInProcess(['series', ...words, '--data', server.dataDir]);

beforeAll(async () => {
  server = await startServer();
  site = await addSite(server, 'paper.example');
  const { apikey, write_secret: secret } = site;
  for (const [name, section] of [
    ['one', '=cmd()'],
    ['two', '政治'],
  ]) {
    const metadata = { canonical_url: `https://paper.example/${name}`, title: name, section };
    await postJson(server, '/v2/metadata/posts', { apikey, secret, metadata });
  }
  const events = ['one', 'one', 'one', 'two'].map((name, index) => ({
    idsite: apikey,
    action: 'pageview',
    url: `https://paper.example/${name}`,
    eid: `view-${index}`,
    data: { parsely_site_uuid: `reader-${index % 2}` },
  }));
  await fetch(`${server.url}/events`, {
    method: 'POST',
    headers: { 'User-Agent': BROWSER, 'Content-Type': 'application/json' },
    body: JSON.stringify({ events }),
  });
  await allStored(server);
});

afterAll(async () => {
  await server.stop();
  await removeDataDirs();
});

test('--json is the data of the endpoint', async () => {
  const asked = { interval: 'month', period_start: '40d', metrics: 'views,visitors', section: '政治' };
  const { stdout, code } = await series(
    ...[site.apikey, '--json', '--interval', 'month', '--period-start', '40d'],
    ...['--metrics', 'views,visitors', '--section', '政治'],
  );
  expect(code).toBe(0);
  const { apikey, secret } = site;
  const { data } = await getJson<{ data: { metrics: object }[] }>(server, '/v2/analytics/series', {
    apikey,
    secret,
    ...asked,
  });
  expect(JSON.parse(stdout)).toEqual(data);
  expect(data.at(-1)!.metrics).toEqual({ views: 1, visitors: 1 });
});

test('a terminal gets a line for each day with a bar, and what an unfinished one is', async () => {
  const { stdout } = await series(
    site.apikey,
    '--days',
    '2',
    '--metrics',
    'views,avg_engaged',
    '--compare',
    'previous',
  );
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^DAY \(UTC\) +VIEWS +BEFORE +CHANGE +AVG_ENGAGED +BEFORE +CHANGE$/);
  expect(lines.slice(1, -1).every((line) => /^\d{4}-\d\d-\d\d/.test(line))).toBe(true);
  expect(lines.filter((line) => line.endsWith(` ${'█'.repeat(30)}`))).toHaveLength(1);
  expect(lines.at(-1)).toBe('* It is not over yet, or the period begins or ends within it.');
});

test('--csv has a heading, and no cell that a spreadsheet takes for a formula', async () => {
  const { stdout } = await series(
    ...[site.apikey, '--csv', '--interval', 'hour', '--metrics', 'views,visitors'],
    ...['--compare', 'previous', '--section', '=cmd()'],
  );
  const [heading, ...rows] = stdout.trimEnd().split('\n');
  const names = 'start,partial,views,visitors';
  expect(heading).toBe(`${names},${names.replaceAll(/(^|,)/g, '$1previous_')}`);
  expect(rows.length).toBeGreaterThan(71);
  for (const cell of rows.flatMap((row) => row.split(','))) expect(cell).toMatch(/^(?:[\d.]|true|false)/);
  const views = rows.map((row) => Number(row.split(',')[2]));
  expect(views.reduce((sum, of) => sum + of, 0)).toBe(3);
});

test('what is wrong is named by its option, with exit code 2', async () => {
  const refused = async (...words: string[]) => {
    const { code, stdout, stderr } = await series(site.apikey, ...words);
    expect([words, code, stdout]).toEqual([words, 2, '']);
    return stderr;
  };
  expect(await refused('--interval', 'minute', '--days', '30')).toContain(
    '--interval: Give hour, day, week or month, or a shorter period: an answer has at most 4,320 intervals.',
  );
  expect(await refused('--metrics', 'likes')).toContain('--metrics: Give some of views, ');
  expect(await refused('--period-start', '2024-02-30')).toContain('--period-start: Give a date such as');
  expect(await refused('--period-start', '2024-03-02', '--period-end', '2024-03-01')).toContain(
    'Give a start that is not after the end.',
  );
  expect(await refused('--interval', 'year')).toContain('Allowed choices are minute, hour, day, week, month.');
  expect(await refused('--csv', '--json')).toContain('Give --csv or --json, not both.');
});

test('an unknown site is said to be unknown', async () => {
  const { code, stderr } = await series('nobody.example');
  expect(code).toBe(1);
  expect(stderr).toContain('nobody.example');
});

test('the command is the same where it opens the data itself, and has help', async () => {
  const help = await runCommand(['series', '--help']);
  expect(help).toMatchObject({ code: 0 });
  expect(help.stdout).toContain('--compare <period>');
  await server.stop();
  const { stdout, code } = await runCommand(['series', site.apikey, '--json', '--data', server.dataDir]);
  expect(code).toBe(0);
  expect((JSON.parse(stdout) as { metrics: { views: number } }[]).at(-1)!.metrics).toEqual({ views: 4 });
});

test('its options are the parameters of the endpoint', () => {
  const options = createProgram({ version: '0.0.0' } as Parameters<typeof createProgram>[0])
    .commands.find((command) => command.name() === 'series')!
    .options.map(({ long }) => long);
  const { parameters } = toOpenApi(ROUTES).paths['/v2/analytics/series']!.get!;
  // The command prints intervals, not what stands beside them.
  const not = ['apikey', 'secret', 'callback', 'totals'];
  const own = parameters.map(({ name }) => name).filter((name) => !not.includes(name));
  expect(options).toEqual(expect.arrayContaining(own.map((name) => `--${name.replaceAll('_', '-')}`)));
});
