// Which channel a page was read in, and which segments its publisher put the visitor into.
import type { Channel } from '../eventRow.ts';
import { type ParsedEvent, text } from '../parseEvent.ts';

const CHANNELS: readonly string[] = ['website', 'amp', 'apln-rta', 'fbia'];
const MAX_SEGMENTS = 10;
const MAX_SEGMENT = 100;
const NONE: string[] = [];

/** `data._channel` (or `data.channel`) when it is one of the four; an AMP visitor id means AMP; else the website. */
export function channelOf(event: ParsedEvent): Channel {
  const said = text(event.data?._channel) ?? text(event.data?.channel);
  if (said !== undefined && CHANNELS.includes(said)) return said as Channel;
  return event.ampid === undefined ? 'website' : 'amp';
}

/** `data.segments`: a list, or names separated by commas. Each once, at most ten. */
export function segmentsOf(event: ParsedEvent): string[] {
  const said = event.data?.segments;
  if (said === undefined) return NONE;
  const names: unknown[] = typeof said === 'string' ? said.split(',') : Array.isArray(said) ? said : [];
  const clean = names.flatMap((name) => (typeof name === 'string' ? [name.trim()] : []));
  return [...new Set(clean.filter((name) => name !== '' && name.length <= MAX_SEGMENT))].slice(0, MAX_SEGMENTS);
}
