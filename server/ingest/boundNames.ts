// Keeps an event's names within what its site may invent in an hour; the rest is counted together as "(other)".
import type { EventRow } from './eventRow.ts';
import { createNovelty, OTHER } from './novelty.ts';

export interface NameLimits {
  /** New URLs of pages and videos a site may bring in an hour; default 10,000. */
  urlsPerHour?: number;
  /** New referrers, campaign values, segments and conversion labels a site may bring in an hour; default 2,000. */
  labelsPerHour?: number;
}

const LABELS = [
  'referrer',
  'campaignId',
  'campaignMedium',
  'campaignSource',
  'campaignContent',
  'campaignTerm',
  'conversionLabel',
] as const;

export interface BoundNames {
  /** Changes the row in place. @returns Whether its page was beyond the allowance. */
  bound(row: EventRow, now: number): boolean;
  /** A page known from before the start. */
  know(site: string, url: string): void;
}

export function createBoundNames({ urlsPerHour = 10_000, labelsPerHour = 2_000 }: NameLimits = {}): BoundNames {
  const urls = createNovelty({ perHour: urlsPerHour, remembered: 300_000 });
  const labels = createNovelty({ perHour: labelsPerHour, remembered: 50_000 });

  return {
    bound(row, now) {
      const { site } = row;
      const beyond = !urls.admits(site, row.url, now);
      if (beyond) row.url = OTHER;
      if (row.video !== '' && !urls.admits(site, row.video, now)) row.video = OTHER;
      if (row.referrerUrl !== '' && !urls.admits(site, row.referrerUrl, now)) row.referrerUrl = OTHER;
      for (const field of LABELS) {
        if (row[field] !== '' && !labels.admits(site, row[field], now)) row[field] = OTHER;
      }
      if (row.segments.length > 0) {
        row.segments = [...new Set(row.segments.map((name) => (labels.admits(site, name, now) ? name : OTHER)))];
      }
      return beyond;
    },
    know: (site, url) => urls.know(site, url),
  };
}
