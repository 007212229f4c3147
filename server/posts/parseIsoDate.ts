// Reads a publication date as publishers write it: ISO 8601, UTC where no zone is named.

const SHAPE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/**
 * Reads a date, with or without a time, an offset, fractions of a second.
 * @returns Epoch milliseconds; undefined for anything else, the 30th of February included.
 */
export function parseIsoDate(text: string): number | undefined {
  const match = SHAPE.exec(text.trim());
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as Six;
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 60) return undefined;
  const midnight = Date.UTC(year, month - 1, day);
  // Date.UTC carries days over into the next month, and reads years below 100 as 19xx.
  if (new Date(midnight).getUTCDate() !== day || year < 1000) return undefined;
  const offset = offsetMinutes(match[8]);
  if (offset === undefined) return undefined;
  const milliseconds = Math.trunc(Number(`0.${match[7] ?? 0}`) * 1000);
  return midnight + ((hour * 60 + minute - offset) * 60 + second) * 1000 + milliseconds;
}

type Six = [number, number, number, number, number, number];

/** Minutes east of UTC. */
function offsetMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || /^z$/i.test(zone)) return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || 0);
  if (hours > 14 || minutes > 59) return undefined;
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes);
}
