// Keeps the days of a filled site that are over, as the server does it: by hour, and what followed clicks on lists.
import { materialiseHours } from '../../server/rankings/materialiseHours.ts';
import { settleDays } from '../../server/rankings/settleDays.ts';
import type { Site, SiteId } from '../../server/sites/site.ts';
import { connect, type EngineOptions } from '../../server/storage/connect.ts';
import { createMaterialisedHourStore } from '../../server/storage/materialisedHours.ts';
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
    const store = { materialisedHours: createMaterialisedHourStore(engine), traffic: createTrafficStore(engine) };
    await materialiseHours({ store, sites, exclusions, now });
  } finally {
    await engine.close();
  }
}
