// The demo on a terminal: what it says when it is ready, and when it cannot store the month of readers.
import { afterEach, expect, test, vi } from 'vitest';
import { announce } from '../../demo/announce.ts';
import { createDemoGuest } from '../../demo/demoGuest.ts';
import type { GuestHost } from '../../server/cli/serve.ts';
import { parseSiteId } from '../../server/sites/site.ts';
import { makeDataDir, removeDataDirs } from '../support/dataDir.ts';

afterEach(removeDataDirs);

const SHOW_CURSOR = '\u001b[?25h';

test('the bar is closed, and the terminal has its cursor again', async () => {
  const site = { id: parseSiteId('lantern-8090')!, createdAt: 1 };
  const host = {
    url: 'http://127.0.0.1:8080/',
    sites: { find: () => site },
    store: { events: { append: () => Promise.reject(new Error('the disk is full')) } },
    library: { write: async () => {} },
    now: () => Date.parse('2026-03-18T15:00:00Z'),
    stopping: new AbortController().signal,
  } as unknown as GuestHost;
  const settings = {
    host: '127.0.0.1',
    demoPort: 8090,
    data: makeDataDir(),
    seed: 'test',
    days: 2,
    views: 50,
    live: false,
  };
  const before = process.stderr.isTTY;
  process.stderr.isTTY = true;
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await expect(createDemoGuest(settings, () => {}).open(host)).rejects.toThrow('the disk is full');
  const shown = written.mock.calls.map(([text]) => String(text)).join('');
  vi.restoreAllMocks();
  process.stderr.isTTY = before;
  expect(shown).toContain('Inviting a month of readers');
  expect(shown).toContain(SHOW_CURSOR);
});

test.each([
  ['the first start', 's'.repeat(43)],
  ['a later one', undefined],
])('what to open after %s fits 80 columns, and commands have lines of their own', (_, secret) => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const [origin, afterword] = ['http://localhost:8090', 'http://localhost:8080'];
  announce({ origin, afterword, site: 'lantern-8090', secret, data: '/srv/afterword' });
  const lines = written.mock.calls.flatMap(([text]) => String(text).split('\n'));
  vi.restoreAllMocks();
  // A request with a secret is as long as it is.
  expect(lines.filter((line) => line.length > 80 && !line.includes("curl '"))).toEqual([]);
  expect(lines).toContain('    npx afterword operator token --data /srv/afterword');
});
