// The admin application in process, for a command that finds no server running.
import type { Hono } from 'hono';
import type { StorageSettings } from '../config.ts';
import { createLibrary } from '../library.ts';
import { openDirectory } from '../sites/directory.ts';
import { createAdmin } from './admin.ts';
import { createLog } from './log.ts';
import { openData } from './openData.ts';

export interface OpenAdmin {
  admin: Hono;
  close(): Promise<void>;
}

export async function openAdmin(settings: StorageSettings): Promise<OpenAdmin> {
  const log = createLog({ level: 'warn', format: settings.logFormat, to: 'stderr' });
  const now = () => Date.now();
  const store = await openData(settings, { log, now });
  const sites = await openDirectory(store.sites, now);
  const library = createLibrary({ store, now, log });
  return {
    admin: createAdmin({ now, sites, store, library }),
    async close() {
      await library.close();
      await store.close();
    },
  };
}
