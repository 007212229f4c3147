// Keeps an event's names within what its site may invent in an hour; the rest is counted together as "(other)".
import type { EventRow } from './eventRow.ts';
import { createNovelty, type Met, OTHER } from './novelty.ts';

export interface NameLimits {
  /** New URLs of pages and videos a site may bring in an hour; default 10,000. */
  urlsPerHour?: number;
  /** New referrers, campaign values, segments and conversion labels a site may bring in an hour; default 2,000. */
  labelsPerHour?: number;
}

export interface BoundNames {
  /** Changes the row in place. @param page What is remembered of its page. @returns Whether its page was beyond the allowance. */
  bound(row: EventRow, now: number, page?: Met): boolean;
  /** A page known from before the start. */
  know(site: string, url: string): void;
}

export function createBoundNames({ urlsPerHour = 10_000, labelsPerHour = 2_000 }: NameLimits = {}): BoundNames {
  const urls = createNovelty({ perHour: urlsPerHour, remembered: 300_000 });
  const labels = createNovelty({ perHour: labelsPerHour, remembered: 50_000 });

  /** Most events say few of these. */
  const label = (site: string, name: string, now: number) =>
    name === '' || labels.admits(site, name, now) ? name : OTHER;

  function boundCampaign(row: EventRow, now: number): void {
    const { site } = row;
    row.campaignId = label(site, row.campaignId, now);
    row.campaignMedium = label(site, row.campaignMedium, now);
    row.campaignSource = label(site, row.campaignSource, now);
    row.campaignContent = label(site, row.campaignContent, now);
    row.campaignTerm = label(site, row.campaignTerm, now);
  }

  return {
    bound(row, now, page) {
      const { site } = row;
      const beyond = !urls.admits(site, row.url, now, page);
      if (beyond) row.url = OTHER;
      if (row.video !== '' && !urls.admits(site, row.video, now)) row.video = OTHER;
      if (row.referrerUrl !== '' && !urls.admits(site, row.referrerUrl, now)) row.referrerUrl = OTHER;
      row.referrer = label(site, row.referrer, now);
      boundCampaign(row, now);
      row.conversionLabel = label(site, row.conversionLabel, now);
      if (row.segments.length > 0) row.segments = [...new Set(row.segments.map((name) => label(site, name, now)))];
      return beyond;
    },
    know: (site, url) => urls.know(site, url),
  };
}
