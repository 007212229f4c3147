// An event as the line of text the engine is given: made once, kept in the write-ahead log as it is, and inserted as
// it is. Written byte by byte, and every field by name: each event passes here, and a loop over names or a text of its
// costs three times as much.
import type { EventKey } from '../ingest/dedupe/eventKey.ts';
import { blankRow, type EventRow } from '../ingest/eventRow.ts';
import { Lines } from '../ingest/lines.ts';
import type { SiteId } from '../sites/site.ts';
import { toReportCell } from './listLines.ts';
import { escapeText, quoteText } from './tabSeparated.ts';

/** A URL that is kept anyway, and how it is written. */
export interface RememberedUrl {
  url: string;
  cell?: Uint8Array | undefined;
}

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
    'referrer_host',
    'referrer_url',
  ],
  ...['campaign_id', 'campaign_medium', 'campaign_source', 'campaign_content', 'campaign_term', 'channel', 'device'],
  ...['segments', 'network', 'conversion_type', 'conversion_label', 'key'],
] as const;

const TAB = 0x09;
const NEWLINE = 0x0a;
const ZERO = 0x30;
const BILLION = 1_000_000_000;
const NINE_DIGITS = 9;
const NO_KEY: EventKey = { high: 0, low: 0 };
/** Digits of the largest number written here, and a tab. */
const NUMBER_BYTES = 21;

/** Characters from the first to the last of these, except the backslash, are written as they are, one byte each. */
const FIRST_PLAIN = 0x20;
const LAST_PLAIN = 0x7e;
const BACKSLASH = 0x5c;

export function toEventLines(rows: readonly EventRow[]): Buffer {
  const lines = new Lines();
  const write = createLineWriter();
  for (const row of rows) write(row, lines);
  return lines.take();
}

/** @param page What is remembered of the page: its cell is kept with it. */
export type LineWriter = (row: EventRow, lines: Lines, page?: RememberedUrl) => void;

export function createLineWriter(): LineWriter {
  /** Where a part of a line is written to be kept. */
  const aside = new Lines();
  // Most events are of the same day and site as the one before, and say as little of the rest.
  let head = writeHead(aside, blankRow('' as SiteId));
  let tail = writeTail(aside, blankRow('' as SiteId));
  return (row, lines, page) => {
    if (row.site !== head.site || row.day !== head.day) head = writeHead(aside, row);
    lines.put(head.bytes);
    numberCell(lines, row.time);
    cell(lines, row.action);
    urlCell(lines, row.url, page);
    cell(lines, row.visitor);
    numberCell(lines, row.seconds);
    // A report of lists has no video: what it says stands in that cell until it is inserted (listLines.ts).
    if (row.lists === undefined) cell(lines, row.video);
    else rawCell(lines, toReportCell(row.lists));
    cell(lines, row.referrerType);
    cell(lines, row.referrer);
    cell(lines, row.referrerHost);
    cell(lines, row.referrerUrl);
    if (!isSame(row, tail)) tail = writeTail(aside, row);
    lines.put(tail.bytes);
    keyCell(lines, row.key);
    lines.bytes[lines.used - 1] = NEWLINE;
  };
}

function writeHead(aside: Lines, { site, day }: EventRow) {
  aside.used = 0;
  cell(aside, site);
  cell(aside, day);
  return { site, day, bytes: aside.copy(0) };
}

function writeTail(aside: Lines, row: EventRow) {
  const { campaignId, campaignMedium, campaignSource, campaignContent, campaignTerm } = row;
  const { channel, device, segments, network, conversionType, conversionLabel } = row;
  aside.used = 0;
  cell(aside, campaignId);
  cell(aside, campaignMedium);
  cell(aside, campaignSource);
  cell(aside, campaignContent);
  cell(aside, campaignTerm);
  cell(aside, channel);
  cell(aside, device);
  segmentsCell(aside, segments);
  cell(aside, network);
  cell(aside, conversionType);
  cell(aside, conversionLabel);
  return {
    campaignId,
    campaignMedium,
    campaignSource,
    campaignContent,
    campaignTerm,
    channel,
    device,
    segments,
    network,
    conversionType,
    conversionLabel,
    bytes: aside.copy(0),
  };
}

/** Whether all that `writeTail` writes is the same; of a list of segments, whether it is the very same. */
function isSame(row: EventRow, other: ReturnType<typeof writeTail>): boolean {
  return (
    row.campaignId === other.campaignId &&
    row.campaignMedium === other.campaignMedium &&
    row.campaignSource === other.campaignSource &&
    row.campaignContent === other.campaignContent &&
    row.campaignTerm === other.campaignTerm &&
    row.channel === other.channel &&
    row.device === other.device &&
    (row.segments === other.segments || row.segments.length + other.segments.length === 0) &&
    row.network === other.network &&
    row.conversionType === other.conversionType &&
    row.conversionLabel === other.conversionLabel
  );
}

function urlCell(lines: Lines, url: string, page: RememberedUrl | undefined): void {
  if (page === undefined || page.url !== url) {
    cell(lines, url);
    return;
  }
  if (page.cell === undefined) {
    const { used } = lines;
    cell(lines, url);
    page.cell = lines.copy(used);
  } else {
    lines.put(page.cell);
  }
}

/** A text, and the tab after it. */
function cell(lines: Lines, text: string): void {
  const { length } = text;
  lines.need(length + 1);
  const { bytes, used } = lines;
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index);
    if (code < FIRST_PLAIN || code > LAST_PLAIN || code === BACKSLASH) {
      rawCell(lines, escapeText(text));
      return;
    }
    bytes[used + index] = code;
  }
  bytes[used + length] = TAB;
  lines.used = used + length + 1;
}

function rawCell(lines: Lines, text: string): void {
  lines.text(text);
  lines.need(1);
  lines.bytes[lines.used++] = TAB;
}

function segmentsCell(lines: Lines, names: readonly string[]): void {
  if (names.length === 0) cell(lines, '[]');
  else rawCell(lines, `[${names.map(quoteText).join(',')}]`);
}

function numberCell(lines: Lines, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) {
    rawCell(lines, String(value));
    return;
  }
  lines.need(NUMBER_BYTES);
  const billions = Math.floor(value / BILLION);
  writeParts(lines, billions, value - billions * BILLION);
}

/** The 64 bits in decimal digits: as a BigInt and a text of it, this would cost as much as half of the other cells. */
function keyCell(lines: Lines, key: EventKey = NO_KEY): void {
  lines.need(NUMBER_BYTES);
  const high = key.high >>> 0;
  const low = key.low >>> 0;
  // Divided by a billion in three steps, so that no remainder outgrows what a number holds exactly.
  const first = Math.floor(high / BILLION);
  const second = (high - first * BILLION) * 0x1_0000 + (low >>> 16);
  const middle = Math.floor(second / BILLION);
  const third = (second - middle * BILLION) * 0x1_0000 + (low & 0xffff);
  const last = Math.floor(third / BILLION);
  writeParts(lines, first * 0x1_0000_0000 + middle * 0x1_0000 + last, third - last * BILLION);
}

/** @param billions And what is left beside them; below 10^18 together with it. */
function writeParts(lines: Lines, billions: number, rest: number): void {
  if (billions >= BILLION) {
    const more = Math.floor(billions / BILLION);
    digits(lines, more, 1);
    digits(lines, billions - more * BILLION, NINE_DIGITS);
    digits(lines, rest, NINE_DIGITS);
  } else if (billions > 0) {
    digits(lines, billions, 1);
    digits(lines, rest, NINE_DIGITS);
  } else {
    digits(lines, rest, 1);
  }
  lines.bytes[lines.used++] = TAB;
}

/** @param value Below a billion. @param least Digits, with zeros before. */
function digits(lines: Lines, value: number, least: number): void {
  const { bytes, used } = lines;
  let count = least;
  for (let bound = 10; count < NINE_DIGITS && value >= bound; bound *= 10) count++;
  let left = value | 0;
  for (let at = used + count - 1; at >= used; at--) {
    const tenth = (left / 10) | 0;
    bytes[at] = ZERO + left - tenth * 10;
    left = tenth;
  }
  lines.used = used + count;
}
