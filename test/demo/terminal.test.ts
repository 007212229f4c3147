// The demo on a terminal, when it cannot store the month of readers.
import { afterEach, expect, test, vi } from 'vitest';
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
