// The frontier between page and readers: what it measures, what it recommends, and how the command prints it.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseHTML } from 'linkedom';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { indexOf } from '../../server/evaluation/evaluate.ts';
import { evaluateFrontier, type Frontier, SETTINGS } from '../../server/evaluation/frontier.ts';
import { chooseSetting } from '../../server/evaluation/kneePoint.ts';
import { recommendation } from '../../server/evaluation/recommendation.ts';
import { runCommand } from '../support/command.ts';
import { removeDataDirs } from '../support/dataDir.ts';
import { onwardLog, onwardPosts, toPostLines, toViewLines } from '../support/onwardPaper.ts';
import { addSite, startServer, type TestServer } from '../support/server.ts';

const NOW = Date.UTC(2026, 5, 1);
const posts = onwardPosts(NOW);
const log = onwardLog(NOW);

function frontierOf(related?: Map<string, Set<string>>): Frontier {
  const options = { log, index: indexOf(posts), clock: () => 0, most: 60, ...(related && { related }) };
  return [...evaluateFrontier(options)].at(-1)!.frontier!;
}

test('the page alone keeps its list and misses the next read, readers alone find it and keep nothing of the page', () => {
  const { points, page } = frontierOf();
  expect(points.map(({ mix }) => mix)).toEqual(SETTINGS);
  expect(page).toBe('kept');
  const [alone, all] = [points[0]!, points.at(-1)!];
  expect(alone).toMatchObject({ kept: 1, hitRate: 0, links: undefined });
  expect(all.hitRate).toBeGreaterThan(0.9);
  expect(all.reciprocal).toBeGreaterThan(0.9);
  expect(all.kept).toBeLessThan(alone.kept);
  for (const { questions, shown, diversity, coverage } of points) {
    expect(questions).toBeGreaterThan(40);
    for (const share of [shown, diversity, coverage]) expect(share).toBeLessThanOrEqual(1);
  }
});

test('what belongs below a page is compared where it is known', () => {
  const related = new Map(posts.map((post, at) => [post.url, new Set([posts[at ^ 1]!.url])]));
  const { points, page, fitted } = frontierOf(related);
  expect(page).toBe('links');
  expect(points[0]!.links).toBeGreaterThan(points.at(-1)!.links!);
  expect(fitted[0]!.questions).toBeGreaterThan(0);
});

test('the setting furthest above the line between both ends is chosen; on the line, the page', () => {
  const points = (...reciprocal: number[]) => reciprocal.map((value, mix) => ({ mix, reciprocal: value }));
  const keep = [1, 0.9, 0.5, 0];
  const choose = (...reciprocal: number[]) => chooseSetting(points(...reciprocal), ({ mix }) => keep[mix]!);
  expect(choose(0, 0.8, 0.9, 1)).toBe(1);
  expect(choose(0, 0.1, 0.95, 1)).toBe(2);
  expect(choose(0.3, 0.3, 0.3, 0.3)).toBe(0);
  expect(choose(0, 0.1, 0.5, 1)).toBe(0);
});

test('what a setting gains is a share of what the best one gains, and what it keeps one of the whole list', () => {
  const rest = {
    questions: 60,
    links: undefined,
    hitRate: 0,
    coverage: 1,
    shown: 1,
    age: 1,
    diversity: 1,
    p50: 0,
    p99: 0,
  };
  const points = [
    { mix: 0, reciprocal: 0.193, kept: 1, ...rest },
    { mix: 0.5, reciprocal: 0.232, kept: 0.61, ...rest },
    { mix: 0.6, reciprocal: 0.236, kept: 0.55, ...rest },
    { mix: 1, reciprocal: 0.196, kept: 0.21, ...rest },
  ];
  const saying = (recommended: number) =>
    recommendation({ points, page: 'kept', recommended, confirmed: 0.6 }).join(' ');
  expect(saying(0.5)).toContain('it gains 91% of what readers can add to MRR@20 (0.193 to 0.232)');
  expect(saying(0.5)).toContain('keeps 61% of the list of the page alone.');
  expect(saying(0)).toContain('it gains nothing of what readers can add to MRR@20 (0.193 to 0.193)');
  expect(saying(0)).toContain('keeps 100% of the list of the page alone.');
  points[1]!.reciprocal = 0.181;
  expect(saying(0.5)).toContain('it predicts less than the page alone by MRR@20 (0.193 to 0.181) in the second half');
  points[1]!.reciprocal = 0.1929;
  expect(saying(0.5)).toContain('it gains nothing of what readers can add to MRR@20 (0.193 to 0.193)');
});

describe('afterword evaluate', () => {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-'));
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(async () => {
    await server.stop();
    await removeDataDirs();
    rmSync(folder, { recursive: true, force: true });
  });
  const file = (name: string, lines: readonly object[]) => {
    writeFileSync(join(folder, name), lines.map((line) => JSON.stringify(line)).join('\n'));
    return join(folder, name);
  };
  test('prints ten settings of a log with posts, a picture, and the one it recommends, and changes nothing', async () => {
    const files = ['--log', file('log.ndjson', log), '--posts', file('posts.ndjson', toPostLines(posts))];
    const { code, stdout } = await runCommand(['evaluate', ...files]);
    expect(code).toBe(0);
    const rows = stdout.split('\n').filter((line) => /^[01](?:\.\d+)?(?: \*)? +[\d.]+ /.test(line));
    expect(rows).toHaveLength(SETTINGS.length);
    expect(rows.filter((row) => row.includes(' *'))).toHaveLength(1);
    for (const part of ['HR@20', 'SHOWN', 'DIVERSE', 'Recommended: mix ', 'Nothing was changed']) {
      expect(stdout).toContain(part);
    }
  });

  test('writes them as JSON, and draws them as a picture that is described in words, in light and dark', async () => {
    const picture = join(folder, 'frontier.svg');
    const files = ['--log', file('log.ndjson', log), '--posts', file('posts.ndjson', toPostLines(posts))];
    const { code, stdout } = await runCommand(['evaluate', '--json', '--picture', picture, ...files]);
    expect(code).toBe(0);
    const { points, recommended, rankings } = JSON.parse(stdout);
    expect(points).toHaveLength(SETTINGS.length);
    expect(SETTINGS).toContain(recommended);
    expect(rankings.at(-1).name).toBe('afterword, /related?url&uuid&mix=1');
    expect(rankings.at(-1).hitRate).toBeGreaterThan(0.9);
    const { document } = parseHTML(readFileSync(picture, 'utf8'));
    const drawing = document.querySelector('svg')!;
    const described = drawing.getAttribute('aria-labelledby')!.split(' ');
    const [title, about] = described.map((id) => drawing.querySelector(`#${id}`)!.textContent!);
    expect(title).toContain('ten settings of the mix dial');
    for (const { mix, reciprocal } of points) expect(about).toContain(`mix ${mix}: MRR@20 ${reciprocal.toFixed(3)}`);
    expect(about).toContain(`Recommended: mix ${recommended}.`);
    expect(drawing.querySelectorAll('circle')).toHaveLength(points.length + 1);
    expect([...drawing.querySelectorAll('tspan')].map((one) => one.textContent)).toEqual([`${recommended}`]);
    expect(drawing.querySelector('style')!.textContent).toContain('prefers-color-scheme: dark');
    expect(readdirSync(folder).filter((name) => name.startsWith('frontier'))).toEqual(['frontier.svg']);
  });

  test('says what a picture needs, before anything is read', async () => {
    const files = ['--log', file('log.ndjson', log)];
    const noPosts = await runCommand(['evaluate', '--picture', join(folder, 'x.svg'), ...files]);
    expect(noPosts).toMatchObject({ code: 2, stderr: expect.stringContaining('both --log and --posts') });
    const posts = ['--posts', join(folder, 'there-is-none.ndjson')];
    const noSvg = await runCommand(['evaluate', '--picture', join(folder, 'x.png'), ...files, ...posts]);
    expect(noSvg).toMatchObject({ code: 2, stderr: expect.stringContaining('has to end in .svg') });
  });

  test("prints them of a site's own posts and stored views", async () => {
    const now = Date.now() - 86_400_000;
    const { apikey } = await addSite(server, 'paper.example');
    const run = (...words: string[]) => runCommand([...words, '--json', '--data', server.dataDir]);
    await run('import', 'posts', apikey, file('own-posts.ndjson', toPostLines(onwardPosts(now))));
    const imported = await run('import', 'views', apikey, file('own-views.ndjson', toViewLines(onwardLog(now))));
    expect(imported).toMatchObject({ code: 0 });
    const { code, stdout } = await run('evaluate', apikey);
    expect(code).toBe(0);
    const { points } = JSON.parse(stdout);
    expect(points[0]).toMatchObject({ mix: 0, kept: 1 });
    expect(points.at(-1).hitRate).toBeGreaterThan(0.9);
  });

  test('says that a site has no posts', async () => {
    const { apikey } = await addSite(server, 'empty.example');
    const none = await runCommand(['evaluate', apikey, '--data', server.dataDir]);
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('empty.example has no posts yet') });
  });
});
