// What the engine says it wrote, beside what is there: on a full disk its BACKUP succeeds with files that are empty.
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../commandError.ts';

/** The engine's own list of files, XML. */
const LIST = '.backup';
const ENTRY = /<file>(.*?)<\/file>/g;

/**
 * Compares the size of each file with the engine's list of them.
 * @param folder The engine's part of a backup.
 * @throws {CommandError} naming the first file that is missing or too short.
 */
export async function requireEngineFiles(folder: string): Promise<void> {
  const list = join(folder, LIST);
  const text = await readFile(list, 'utf8').catch(() => '');
  if (!text.trimEnd().endsWith('</config>')) throw incomplete(`${list} ends too early`);
  for (const [, entry = ''] of text.matchAll(ENTRY)) {
    const [name, size] = [field(entry, 'name'), Number(field(entry, 'size'))];
    // Files with the same content are written once; empty ones are not written.
    if (size === 0 || field(entry, 'data_file') !== '') continue;
    const file = join(folder, name);
    const found = (await lstat(file).catch(() => undefined))?.size;
    if (found !== size) throw incomplete(`${file} has ${found ?? 'no'} bytes, and should have ${size}`);
  }
}

const incomplete = (reason: string) =>
  new CommandError(`The backup is not whole: ${reason}. Is the disk full? Make room, or name another folder.`);

const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&amp;': '&' };

function field(entry: string, name: string): string {
  const text = new RegExp(`<${name}>(.*?)</${name}>`).exec(entry)?.[1] ?? '';
  return text.replaceAll(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity);
}
