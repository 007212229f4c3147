// Values read from a page, before they are stored: bounded, without control characters, of the type of their field.
// Anything else is absent.
import { decodeHTML } from 'entities';
import { MAX_URL_LENGTH } from '../../contract/limits.ts';
import { isRecord } from '../../isRecord.ts';
import { parseIsoDate } from '../parseIsoDate.ts';
import { parseJson } from '../parseJson.ts';
import { parseUrl } from '../parseUrl.ts';
import { localDate } from './localDate.ts';

/** Longest title, section and the like, in characters. */
const MAX_LINE = 2_000;
/** Longest author or tag. */
const MAX_NAME = 300;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufeff]/g;

/** Text of several lines: well-formed, without control characters. */
export function cleanText(text: string, max: number): string {
  return wellFormed(text.slice(0, max).replace(CONTROL, '')).trim();
}

/** One line, blanks collapsed. @returns undefined for anything but text that says something. */
export function line(value: unknown, max = MAX_LINE): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const raw = String(value);
  // Blanks may make up most of it, so a little more than `max` is looked at.
  const text = cleanText(raw.slice(0, 4 * max).replace(/\s+/g, ' '), max);
  return text === '' ? undefined : text;
}

/** The number of a character, as it stands in a text that was escaped twice: no title is meant to show it. */
const NUMBERED = /&#(?:\d{2,6}|x[\da-f]{2,5});/gi;

/** A title without numbers of characters. */
export function titleLine(title: string): string {
  return line(title.replace(NUMBERED, (one) => decodeHTML(one))) ?? title;
}

/** The zero-width space and the word joiner. Joiners of letters stay: they are part of Persian and Indic names. */
const UNSEEN = /[\u200b\u2060]/g;

/** Names, each once, in order, without what no reader sees in them. @returns undefined when there is none. */
export function names(values: readonly unknown[], most: number): string[] | undefined {
  const found = new Set<string>();
  for (const value of values.slice(0, 10 * most)) {
    const name = line(typeof value === 'string' ? value.replace(UNSEEN, '') : value, MAX_NAME);
    if (name !== undefined && found.size < most) found.add(name);
  }
  return found.size === 0 ? undefined : [...found];
}

/** Commas of Chinese, Japanese and Arabic. */
const OTHER_COMMAS = /[，、،]/;

/** Those that end an HTML entity that was escaped twice separate nothing. */
const SEMICOLONS = /(?<!&#?\w{1,31});|[；؛]/;

/**
 * Names written in one text with commas between; where no Latin one is among them, with those of other scripts, and
 * where there is none of these either, with semicolons.
 */
export function commaSeparated(value: unknown): string[] {
  if (typeof value !== 'string') return [];
  const text = value.slice(0, 20_000);
  if (text.includes(',')) return text.split(',');
  return text.split(OTHER_COMMAS.test(text) ? OTHER_COMMAS : SEMICOLONS);
}

/** An http or https address; a relative one is completed. */
export function webUrl(value: unknown, base: string): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (text === '' || text.length > MAX_URL_LENGTH) return undefined;
  const url = parseUrl(text, base);
  if (!url) return undefined;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  url.username = '';
  url.password = '';
  return url.href.length <= MAX_URL_LENGTH ? url.href : undefined;
}

/** An offset stands behind a time: the end of 05-07-2024 is a year. */
const HAS_ZONE =
  /(?:\bz|\b(?:gmt|utc?|[ecmp][sd]t)|(?::\d\d[^+-]*|\b(?:gmt|utc?)\s*)[+-]\d\d:?\d\d)(?:\s*\([^)]*\))?$/i;

/** Dates beyond these are mistakes: 1800 and 2200. */
const EARLIEST = Date.UTC(1800, 0, 1);
const LATEST = Date.UTC(2200, 0, 1);

/**
 * A moment in any spelling pages use: ISO 8601, RFC 2822, English, that of the page's language, Unix seconds or
 * milliseconds. UTC where no zone is named.
 */
export function moment(value: unknown, language?: string): number | undefined {
  const time =
    typeof value === 'number' ? epoch(value) : typeof value === 'string' ? written(value, language) : undefined;
  return time !== undefined && time >= EARLIEST && time < LATEST ? time : undefined;
}

function written(text: string, language: string | undefined): number | undefined {
  const trimmed = text.trim();
  if (trimmed.length > 100) return undefined;
  if (/^\d{9,10}$|^\d{12,13}$/.test(trimmed)) return epoch(Number(trimmed));
  const iso = parseIsoDate(trimmed);
  if (iso !== undefined) return iso;
  // The engine's own parser makes the 1st of March of the 30th of February.
  if (/^\d{4}-\d{2}-\d{2}/.test(trimmed) && parseIsoDate(trimmed.slice(0, 10)) === undefined) return undefined;
  // A year must be there in full: the engine's own parser makes a date of almost any text with a number in it.
  const local = HAS_ZONE.test(trimmed) ? undefined : localDate(trimmed, language);
  if (local !== undefined) return local;
  if (!/\b\d{4}\b/.test(trimmed) || !/[a-z]{3}|\d[-/]\d/i.test(trimmed)) return undefined;
  const parsed = Date.parse(HAS_ZONE.test(trimmed) ? trimmed : `${trimmed} UTC`);
  return Number.isNaN(parsed) ? undefined : parsed;
}

const epoch = (value: number): number | undefined => (value > 0 ? (value < 1e11 ? value * 1000 : value) : undefined);

/** A language tag in its canonical spelling. */
export function languageTag(value: unknown): string | undefined {
  const text = line(value, 100)?.replaceAll('_', '-');
  if (text === undefined || !/^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(text)) return undefined;
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The text of a JSON object. */
export function jsonObject(value: unknown, max: number): string | undefined {
  if (isRecord(value)) {
    const text = JSON.stringify(value);
    return text.length <= max ? text : undefined;
  }
  if (typeof value !== 'string' || value.length > max) return undefined;
  const parsed = parseJson(value);
  return parsed !== undefined && jsonObject(parsed, max) !== undefined ? value.trim() : undefined;
}

/** Half a surrogate pair becomes U+FFFD. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
