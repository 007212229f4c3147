// An event as the line of text the engine is given: made once, kept in the journal as it is, and inserted as it is.
import type { EventRow } from '../ingest/eventRow.ts';
import { escapeText } from './tabSeparated.ts';

/** What stands in a line, in this order. The key is the last: it is what a start reads of the lines that wait. */
export const EVENT_COLUMNS = [
  ...[
    'site',
    'day',
    'time',
    'action',
    'url',
    'visitor',
    'seconds',
    'video',
    'referrer_type',
    'referrer',
    'referrer_url',
  ],
  ...['campaign_id', 'campaign_medium', 'campaign_source', 'campaign_content', 'campaign_term', 'channel', 'device'],
  ...['segments', 'network', 'conversion_type', 'conversion_label', 'key'],
] as const;

/** Written out: a loop over names costs three times as much, and every event passes here. */
export function toEventLine(row: EventRow): string {
  return `${escapeText(row.site)}\t${row.day}\t${row.time}\t${row.action}\t${escapeText(row.url)}\t${row.visitor}\t${
    row.seconds
  }\t${escapeText(row.video)}\t${row.referrerType}\t${escapeText(row.referrer)}\t${escapeText(
    row.referrerUrl,
  )}\t${campaignOf(row)}\t${row.channel}\t${row.device}\t${segmentsOf(row)}\t${row.network}\t${escapeText(
    row.conversionType,
  )}\t${escapeText(row.conversionLabel)}\t${row.key ?? '0'}\n`;
}

function campaignOf(row: EventRow): string {
  const { campaignId, campaignMedium, campaignSource, campaignContent, campaignTerm } = row;
  if (campaignId + campaignMedium + campaignSource + campaignContent + campaignTerm === '') return '\t\t\t\t';
  return [campaignId, campaignMedium, campaignSource, campaignContent, campaignTerm].map(escapeText).join('\t');
}

function segmentsOf({ segments }: EventRow): string {
  if (segments.length === 0) return '[]';
  return `[${segments.map((name) => `'${escapeText(name).replaceAll("'", "\\'")}'`).join(',')}]`;
}
