// Resident memory of a server process: when it is warm and idle, and the most of it under load.
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { BROWSER } from '../../test/support/beacons.ts';
import type { TestServer } from '../../test/support/server.ts';
import { addressOfPost, type CostSite, POSTS } from './costSite.ts';

const STEP_MS = 200;
const READERS = 500;
const AT_ONCE = 25;
/** Idle: the least memory of so many seconds is no longer falling. */
const QUIET_SECONDS = 5;
const MOST_LOOKS = 4;

/** Bytes, on Linux. */
export function residentOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))!;
  return Number(kilobytes) * 1024;
}

/** Questions and events as readers send them, until code and caches are warm. */
export async function warmUp({ server, site }: CostSite): Promise<void> {
  const headers = { 'User-Agent': BROWSER };
  async function read(number: number): Promise<void> {
    const url = addressOfPost(site, (number * 7) % POSTS);
    const events = [{ idsite: site.apikey, action: 'pageview', url }];
    const asked = [
      fetch(`${server.url}/v2/related?apikey=${site.apikey}&url=${url}`),
      fetch(`${server.url}/v2/related?apikey=${site.apikey}&limit=${number % AT_ONCE === 0 ? 2000 : 10}`),
      fetch(`${server.url}/v2/top/posts?apikey=${site.apikey}&days=${1 + (number % 7)}`),
      fetch(`${server.url}/events`, { method: 'POST', headers, body: JSON.stringify({ events }) }),
    ];
    for (const answer of await Promise.all(asked)) await answer.arrayBuffer();
  }
  // Events are answered when the disk has them, many as soon as one.
  for (let number = 0; number < READERS; number += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => read(number + at)));
  }
}

/** The least bytes of the last seconds, once they do not fall any more. */
export async function quietMemory({ pid }: TestServer): Promise<number> {
  let before = Number.POSITIVE_INFINITY;
  for (let look = 0; look < MOST_LOOKS; look++) {
    let least = Number.POSITIVE_INFINITY;
    for (let step = 0; step < (QUIET_SECONDS * 1000) / STEP_MS; step++) {
      least = Math.min(least, residentOf(pid));
      await setTimeout(STEP_MS);
    }
    if (least > before * 0.98) return least;
    before = least;
  }
  return before;
}

/** The most bytes until `ended`. */
export async function peakOf({ pid }: TestServer, ended: () => boolean): Promise<number> {
  let most = 0;
  while (!ended()) {
    most = Math.max(most, residentOf(pid));
    await setTimeout(STEP_MS);
  }
  return most;
}
