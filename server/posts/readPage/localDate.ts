// Dates as people write them: 1.3.2026, 13/03/2026, 2026年3月1日, 1 de marzo de 2026. UTC, as of all without a zone.
import { parseIsoDate } from '../parseIsoDate.ts';

const YEAR_FIRST = /(?<!\d)(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]/;
const DOTTED = /(?<!\d|\d\.)(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d)/;
const SLASHED = /(?<!\d|\d[/-])(\d{1,2})([/-])(\d{1,2})\2(\d{4})(?!\d)/;
/** With the ordinals of German and of Romance languages, and the "de" of Spanish and Portuguese. */
const NAMED = /(?<!\d)(\d{1,2})(?:\.|º|er)?\s+(?:de\s+|d['’])?(\p{L}{3,20})\.?\s+(?:del?\s+)?(\d{4})(?!\d)/u;
const TIME = /(?<!\d)(\d{1,2})\s?[:.h時시]\s?(\d{2})(?::(\d{2}))?(?!\d)/;

/**
 * @param language Of the page: whether the day or the month comes first, and the names of months.
 * @returns Epoch milliseconds; undefined for what is no such date, or reads the same in English.
 */
export function localDate(text: string, language: string | undefined): number | undefined {
  const found = dateIn(text, language);
  if (!found) return undefined;
  const { year, month, day, written } = found;
  const [, hour = '0', minute = '00', second = '00'] = TIME.exec(text.replace(written, ' ')) ?? [];
  return parseIsoDate(`${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${second}`);
}

const two = (number: string | number): string => String(number).padStart(2, '0');

interface Found {
  year: string;
  month: string | number;
  day: string;
  written: string;
}

function dateIn(text: string, language: string | undefined): Found | undefined {
  const [yearFirst, dotted, slashed, named] = [YEAR_FIRST, DOTTED, SLASHED, NAMED].map((shape) => shape.exec(text));
  if (yearFirst) {
    const [written, year = '', month = '', day = ''] = yearFirst;
    return { year, month, day, written };
  }
  if (dotted) {
    const [written, day = '', month = '', year = ''] = dotted;
    return { year, month, day, written };
  }
  if (language === undefined) return undefined;
  if (slashed && isDayFirst(language)) {
    const [written, day = '', , month = '', year = ''] = slashed;
    return { year, month, day, written };
  }
  if (!named) return undefined;
  const [written, day = '', name = '', year = ''] = named;
  const month = monthNamed(name, language);
  return month === 0 ? undefined : { year, month, day, written };
}

function isDayFirst(language: string): boolean {
  const parts = new Intl.DateTimeFormat(language, { dateStyle: 'short', calendar: 'gregory', timeZone: 'UTC' })
    .formatToParts(0)
    .map(({ type }) => type);
  return parts.indexOf('day') < parts.indexOf('month');
}

/** From 1; 0: it is the name of none. */
function monthNamed(name: string, language: string): number {
  const bare = (text: string) => text.toLocaleLowerCase(language).replace('.', '');
  const styles = (['long', 'short'] as const).flatMap((month) => [
    { month },
    // With a day, the name may have another ending.
    { month, day: 'numeric' as const },
  ]);
  for (const style of styles) {
    const format = new Intl.DateTimeFormat(language, { ...style, calendar: 'gregory', timeZone: 'UTC' });
    for (let month = 1; month <= 12; month++) {
      const parts = format.formatToParts(Date.UTC(2026, month - 1, 1));
      if (bare(parts.find(({ type }) => type === 'month')?.value ?? '') === bare(name)) return month;
    }
  }
  return 0;
}
