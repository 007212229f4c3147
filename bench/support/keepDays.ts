// Keeps the days of a filled site that are over, as the server does it: by hour, and what followed clicks on lists.
import { keepHours } from '../../server/rankings/keepHours.ts';
import { settleDays } from '../../server/rankings/settleDays.ts';
import type { Site, SiteId } from '../../server/sites/site.ts';
import { connect, type EngineOptions } from '../../server/storage/connect.ts';
import { createKeptHourStore } from '../../server/storage/keptHours.ts';
import { createSettledDayStore } from '../../server/storage/settledDays.ts';
import { createTrafficStore } from '../../server/storage/traffic.ts';

/** @param settings.now Epoch milliseconds. */
export async function keepDays(settings: { engine: EngineOptions; site: SiteId; now: number }): Promise<void> {
  const engine = await connect(settings.engine);
  const now = () => settings.now;
  const site = { id: settings.site, timezone: 'UTC' } as Site;
  try {
    const settledDays = createSettledDayStore(engine);
    const [sites, exclusions] = [{ find: () => site }, { of: async () => new Set<string>() }];
    await settleDays({ store: { settledDays }, sites, now });
    const store = { keptHours: createKeptHourStore(engine), traffic: createTrafficStore(engine) };
    await keepHours({ store, sites, exclusions, now });
  } finally {
    await engine.close();
  }
}
