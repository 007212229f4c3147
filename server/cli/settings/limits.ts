// Settings that bound what comes in by the doors: one site or one sender must not fill the disk or starve the others.
import { MAX_BATCH_BYTES, MAX_BATCH_EVENTS } from '../../contract/limits.ts';
import type { IngestLimits } from '../../ingest/ingest.ts';
import type { Rate } from '../../ingest/rateLimit.ts';
import { type Setting, wholeNumber } from './setting.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
/** An address may send this many seconds' worth at once: an app's readers share the address of their network. */
const ADDRESS_BURST_SECONDS = 50;
const SITE_BURST_SECONDS = 10;
const READ_BURST_SECONDS = 20;

interface Bounds {
  min: number;
  max: number;
  fallback: number;
  /** What is counted. */
  unit: string;
}

function limit(flag: string, about: string, { min, max, fallback, unit }: Bounds): Setting<number> {
  return {
    flag: `--${flag} <number>`,
    env: `AFTERWORD_${flag.toUpperCase().replaceAll('-', '_')}`,
    about: `${about}, in ${unit}`,
    accepts: `a whole number of ${unit} from ${min} to ${max}`,
    fallback: String(fallback),
    read: wholeNumber(min, max),
  };
}

export const limitSettings = {
  maxBody: limit('max-body', 'largest body of a batch; larger ones are answered 413, those of apps are cut', {
    min: 16,
    max: 65_536,
    fallback: MAX_BATCH_BYTES / KIB,
    unit: 'KiB',
  }),
  maxBatch: limit('max-batch', 'longest batch; longer ones are answered 422, those of apps are cut', {
    min: 1,
    max: 20_000,
    fallback: MAX_BATCH_EVENTS,
    unit: 'events',
  }),
  maxText: limit('max-text', 'longest id or label; a longer one says nothing', {
    min: 64,
    max: 8_192,
    fallback: 512,
    unit: 'characters',
  }),
  maxUrl: limit('max-url', 'longest URL as it is sent; without tracking parameters it has at most 2048', {
    min: 256,
    max: 65_536,
    fallback: 8_192,
    unit: 'characters',
  }),
  addressRate: limit(
    'address-rate',
    `rate of one network of addresses (/24 or /48), ${ADDRESS_BURST_SECONDS} s of it or a whole batch at once; beyond it 429`,
    {
      min: 1,
      max: 1_000_000,
      fallback: 200,
      unit: 'events a second',
    },
  ),
  siteRate: limit(
    'site-rate',
    `rate of one site, ${SITE_BURST_SECONDS} s of it or a whole batch at once; beyond it 429`,
    {
      min: 1,
      max: 1_000_000,
      fallback: 10_000,
      unit: 'events a second',
    },
  ),
  readRate: limit(
    'read-rate',
    `questions of one network of addresses (/24 or /48), ${READ_BURST_SECONDS} s of it at once; beyond it 429; lists that are ready in memory are free`,
    {
      min: 1,
      max: 1_000_000,
      fallback: 200,
      unit: 'requests a second',
    },
  ),
  addressConnections: limit(
    'address-connections',
    'connections of one network of addresses (/24 or /48) that are busy at once; idle ones give way to new ones',
    {
      min: 1,
      max: 1_000_000,
      fallback: 256,
      unit: 'connections',
    },
  ),
  newUrls: limit(
    'new-urls',
    'unknown pages a site may bring in an hour, a network of addresses a twentieth; beyond it they count as "(other)"',
    {
      min: 0,
      max: 1_000_000,
      fallback: 10_000,
      unit: 'URLs',
    },
  ),
  newLabels: limit(
    'new-labels',
    'unknown referrers, campaign values, segments and labels a site may bring in an hour, a network a twentieth; and as many names of lists',
    {
      min: 0,
      max: 1_000_000,
      fallback: 2_000,
      unit: 'names',
    },
  ),
  maxSpool: limit('max-spool', 'room for events on this disk while the database is away; beyond it 503', {
    min: 1,
    max: 1_000_000,
    fallback: 1_024,
    unit: 'MiB',
  }),
};

type LimitSettings = { [Name in keyof typeof limitSettings]: number };

/** The same in the units of ingest/ and of the doors. */
export function toLimits(settings: LimitSettings): {
  ingest: IngestLimits;
  maxBatchBytes: number;
  readRate: Rate;
} {
  const { readRate } = settings;
  const { maxBody, maxBatch, maxText, maxUrl, addressRate, siteRate, newUrls, newLabels, maxSpool } = settings;
  return {
    maxBatchBytes: maxBody * KIB,
    readRate: { perSecond: readRate, burst: readRate * READ_BURST_SECONDS },
    ingest: {
      eventsPerBatch: maxBatch,
      lengths: { text: maxText, url: maxUrl },
      perPrefix: { perSecond: addressRate, burst: addressRate * ADDRESS_BURST_SECONDS },
      perSite: { perSecond: siteRate, burst: siteRate * SITE_BURST_SECONDS },
      urlsPerHour: newUrls,
      labelsPerHour: newLabels,
      spoolBytes: maxSpool * MIB,
    },
  };
}
