// Reads the beginning of a file to be imported: whether it can be what its name says, and how its columns are divided.
import { isUtf8 } from 'node:buffer';
import { CommandError } from '../commandError.ts';
import { openText } from './openText.ts';

const HEAD_BYTES = 64 * 1024;
const DELIMITERS = [',', ';', '\t', '|'];

/**
 * Reads the beginning of a file, unpacked.
 * @throws {CommandError} when the file is empty, or no text in UTF-8.
 */
export async function readHead(file: string): Promise<string> {
  const beginning = await firstBytes(file);
  if (beginning.length === 0) throw new CommandError(`${file} is empty.`);
  const [first, second] = beginning;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new CommandError(`${file} is UTF-16 text; save it as UTF-8.`);
  }
  if (beginning.includes(0)) throw new CommandError(`${file} is no text.`);
  return beginning.toString('utf8').replace(/^\uFEFF/, '');
}

async function firstBytes(file: string): Promise<Buffer> {
  const { bytes } = await openText(file);
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    parts.push(chunk);
    size += chunk.length;
    if (size >= HEAD_BYTES) break;
  }
  return Buffer.concat(parts).subarray(0, HEAD_BYTES);
}

/** What divides the columns of a heading: whatever stands there most often, outside of quotes. */
export function delimiterOf(head: string): string {
  const heading = (/^\s*([^\r\n]*)/.exec(head)?.[1] ?? '').replace(/"[^"]*"/g, '');
  const times = (delimiter: string) => heading.split(delimiter).length;
  return DELIMITERS.reduce((best, delimiter) => (times(delimiter) > times(best) ? delimiter : best));
}

const NEWLINE = 0x0a;

/**
 * Reads all of a file: a byte that is no UTF-8 would be stored as another character, and half a file of addresses would
 * have come in.
 * @throws {CommandError} naming the first line that is in another encoding.
 */
export async function requireUtf8(file: string): Promise<void> {
  let line = 1;
  let rest = Buffer.alloc(0);
  const check = (bytes: Buffer) => {
    if (isUtf8(bytes)) return;
    const lines = bytes.toString('latin1').split('\n');
    const at = lines.findIndex((text) => !isUtf8(Buffer.from(text, 'latin1')));
    throw new CommandError(
      `Line ${line + at} of ${file} is not in UTF-8, and nothing was stored. Where it is in Latin-1: iconv -f latin1 -t utf-8 ${file} > utf8-copy`,
    );
  };
  const { bytes } = await openText(file);
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end === 0) {
      rest = Buffer.concat([rest, chunk]);
      continue;
    }
    const whole = Buffer.concat([rest, chunk.subarray(0, end)]);
    check(whole);
    for (let at = whole.indexOf(NEWLINE); at !== -1; at = whole.indexOf(NEWLINE, at + 1)) line++;
    rest = Buffer.from(chunk.subarray(end));
  }
  check(rest);
}
