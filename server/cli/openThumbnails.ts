// Puts together what makes thumbnails.
import { createSecretKey, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { ServerSettings } from '../config.ts';
import { crawlerAgent } from '../crawl/reading.ts';
import type { Store } from '../storage/store.ts';
import { openDiskCache } from '../thumbnails/diskCache.ts';
import { createThumbnailMaker } from '../thumbnails/maker.ts';
import { createThumbnails, type Thumbnails, type ThumbnailsOptions } from '../thumbnails/thumbnails.ts';
import type { Installation } from './installation.ts';

export interface OpenThumbnailsOptions {
  settings: Pick<ServerSettings, 'data' | 'publicUrl' | 'allowPrivateCrawl' | 'thumbnails' | 'thumbnailCache'>;
  installation: Pick<Installation, 'version' | 'thumbnailProcess'>;
  store: Pick<Store, 'keys'>;
  log: Logger;
  now: () => number;
  /** Monotonic milliseconds. */
  clock: () => number;
}

const MIB = 1024 * 1024;

export async function openThumbnails(options: OpenThumbnailsOptions): Promise<Thumbnails> {
  const { settings, installation, store, log, clock } = options;
  const key = createSecretKey(await store.keys.agree('thumbnails', randomBytes(32).toString('hex')), 'hex');
  return createThumbnails({
    key,
    backend: settings.thumbnails ? openBackend(options) : undefined,
    userAgent: crawlerAgent(installation.version, settings.publicUrl),
    allowPrivate: settings.allowPrivateCrawl,
    clock,
    log,
  });
}

function openBackend({ settings, installation, log, now, clock }: OpenThumbnailsOptions): ThumbnailsOptions['backend'] {
  const maker = createThumbnailMaker({ file: installation.thumbnailProcess, env: { PATH: process.env.PATH } });
  const folder = join(settings.data, 'thumbnails');
  return { maker, cache: openDiskCache({ folder, maxBytes: settings.thumbnailCache * MIB, now, clock, log }) };
}
