// Memory of the built server with its defaults under a thousand connections that are made to fill it.
import { expect, test } from 'vitest';
import { openCostSite } from '../../bench/support/costSite.ts';
import { attack, KINDS, type Kind } from '../../bench/support/hostileConnections.ts';
import { peakOf, quietMemory, warmUp } from '../../bench/support/serverMemory.ts';
import { mainThreadTime } from '../support/cpuTime.ts';
import { removeDataDirs } from '../support/dataDir.ts';

/** Resident memory may be so many times that of the idle server, which has answered some hundred questions of each route. */
const BOUND = 1.5;
const CONNECTIONS = 1_000;
/** Milliseconds of the main thread's processor time: a busy machine attacks no less. */
const ATTACKED = 8_000;

test.runIf(process.platform === 'linux')(
  'slow and large bodies, unread answers and endless heads together take at most half of the idle memory more',
  async () => {
    const opened = await openCostSite(1, []);
    try {
      await warmUp(opened);
      const idle = await quietMemory(opened.server);
      const end = mainThreadTime(opened.server.pid) + ATTACKED;
      const attacking = attack(opened, Object.keys(KINDS) as Kind[], CONNECTIONS);
      const peak = await peakOf(opened.server, () => mainThreadTime(opened.server.pid) >= end);
      await attacking.stop();
      expect(peak / idle).toBeLessThanOrEqual(BOUND);
    } finally {
      await opened.server.stop();
      await removeDataDirs();
    }
  },
  600_000,
);
