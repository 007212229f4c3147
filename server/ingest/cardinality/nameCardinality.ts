// Applies the cardinality limits to the names of an event; names beyond them become "(other)".
//
// Pages, videos, referring pages, labels and names of lists have a limit each: junk in one of them must not use up
// another. Addresses of a post that its publisher declared or the crawler read count against none, nor do the widget's
// own words for lists and the names of a site's experiments.
import { KINDS, LAYOUTS } from '../../contract/attributes.ts';
import type { SiteId } from '../../sites/site.ts';
import type { EventRow, ListRow } from '../eventRow.ts';
import { INGEST_LIMITS } from '../limits.ts';
import { type Bringing, type CardinalityLimit, createCardinalityLimit, type Met, OTHER } from './cardinalityLimit.ts';

/**
 * Kinds of names that are known after a start. Referring pages are none: nearly all of them are pages that were viewed.
 */
export const NAME_KINDS = ['pages', 'videos', 'labels', 'conversionLabels', 'listNames'] as const;

export type NameKind = (typeof NAME_KINDS)[number];

const LIST_NAMES = ['list', 'slot', 'layout', 'experiment', 'variant'] as const;

const KINDS_AND_LAYOUTS: ReadonlySet<string> = new Set([...KINDS, ...LAYOUTS]);
/** What a slot without a name is reported as: its order on the page. */
const ORDER = /^\d{1,2}$/;

export interface NameLimits {
  /** New URLs of pages, of videos and of referring pages a site may bring in an hour, of each so many. */
  urlsPerHour?: number;
  /**
   * New referrers, campaign values, segments and conversion labels a site may bring in an hour; and as many names of
   * lists.
   */
  labelsPerHour?: number;
}

export interface NameCardinalityOptions extends NameLimits {
  /** Whether an address is a post's. Default: none is. */
  isPost?: ((site: SiteId, url: string) => boolean) | undefined;
  /** Whether an experiment of the site names itself, a slot or a variant so. Default: none does. */
  isInExperiment?: ((site: SiteId, name: string) => boolean) | undefined;
}

export interface NameCardinality {
  /**
   * Changes the row in place.
   * @param page The cached object of its page.
   * @returns Whether its page, its video or its referring page was beyond the limit.
   */
  bound(row: EventRow, by: Bringing, page?: Met): boolean;
  /** Adds a name of a stored event, which counts against no limit. */
  know(kind: NameKind, site: string, name: string): void;
}

export function createNameCardinality(options: NameCardinalityOptions = {}): NameCardinality {
  const { urlsPerHour: perHour = INGEST_LIMITS.urlsPerHour, isPost = () => false } = options;
  const { isInExperiment = () => false } = options;
  const { labelsPerHour = INGEST_LIMITS.labelsPerHour } = options;
  const pages = createCardinalityLimit({ perHour, remembered: INGEST_LIMITS.knownPages, exempt: isPost });
  const isPage = (site: SiteId, url: string) => pages.has(site, url) || isPost(site, url);
  const videos = createCardinalityLimit({ perHour, remembered: INGEST_LIMITS.knownVideos, exempt: isPage });
  const referring = createCardinalityLimit({ perHour, remembered: INGEST_LIMITS.knownReferringPages, exempt: isPage });
  const labels = createCardinalityLimit({ perHour: labelsPerHour, remembered: INGEST_LIMITS.knownLabels });
  const lists = createCardinalityLimit({
    perHour: labelsPerHour,
    remembered: INGEST_LIMITS.knownListNames,
    exempt: (site, name) => KINDS_AND_LAYOUTS.has(name) || ORDER.test(name) || isInExperiment(site, name),
  });

  const limits: Readonly<Record<NameKind, CardinalityLimit>> = {
    pages,
    videos,
    labels,
    conversionLabels: labels,
    listNames: lists,
  };

  /** Most events have few names. */
  const boundBy = (limit: CardinalityLimit) => (site: SiteId, name: string, by: Bringing) =>
    name === '' || limit.admits(site, name, by) ? name : OTHER;
  const label = boundBy(labels);
  const listName = boundBy(lists);

  function boundCampaign(row: EventRow, by: Bringing): void {
    const { site } = row;
    row.campaignId = label(site, row.campaignId, by);
    row.campaignMedium = label(site, row.campaignMedium, by);
    row.campaignSource = label(site, row.campaignSource, by);
    row.campaignContent = label(site, row.campaignContent, by);
    row.campaignTerm = label(site, row.campaignTerm, by);
  }

  /** A post that is not known is a new page, whether or not anybody has viewed it. */
  function boundList(site: SiteId, list: ListRow, by: Bringing): void {
    for (const name of LIST_NAMES) list[name] = listName(site, list[name], by);
    for (const item of list.items) if (!pages.admits(site, item.post, by)) item.post = OTHER;
  }

  return {
    bound(row, by, page) {
      const { site } = row;
      let beyond = false;
      if (!pages.admits(site, row.url, by, page)) {
        row.url = OTHER;
        beyond = true;
      }
      if (row.video !== '' && !videos.admits(site, row.video, by)) {
        row.video = OTHER;
        beyond = true;
      }
      if (row.referrerUrl !== '' && !referring.admits(site, row.referrerUrl, by)) {
        row.referrerUrl = OTHER;
        beyond = true;
      }
      const { referrer } = row;
      row.referrer = label(site, referrer, by);
      row.referrerHost = row.referrerHost === referrer ? row.referrer : label(site, row.referrerHost, by);
      boundCampaign(row, by);
      row.conversionLabel = label(site, row.conversionLabel, by);
      for (const list of row.lists ?? []) boundList(site, list, by);
      if (row.segments.length > 0) row.segments = [...new Set(row.segments.map((name) => label(site, name, by)))];
      return beyond;
    },
    know: (kind, site, name) => limits[kind].know(site, name),
  };
}
