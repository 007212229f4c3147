// The local door of a running server, which is the lock of its data folder as well: a Unix socket that only its owner
// can open.
//
// The socket is in a numbered folder, run/<number>/, and the highest number counts. A socket answers as long as its
// process lives and never again, so the lock needs no process id, no clock and no removal. A server listens in a folder
// of its own first and then moves the folder to the number after the last one, whose socket no longer answers:
// rename(2) gives a number to one of several at once, and a number is never seen before its socket answers. The highest
// number is never removed or emptied, so a start that was overtaken finds out.
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createConnection, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { hasCode } from '../errors.ts';
import { CommandError } from './commandError.ts';

/** Longest path of a socket in bytes: 104 on macOS and the BSDs, 108 on Linux, both with a closing zero. */
const MAX_PATH_BYTES = 103;

export class SocketTakenError extends Error {
  override name = 'SocketTakenError';
}

/**
 * Path of the socket of the server running on a data directory.
 * @returns undefined when none is running: no socket, or one left behind by a server that ended.
 */
export async function findSocket(dataDir: string): Promise<string | undefined> {
  const folder = runFolder(dataDir);
  const last = await lastNumber(folder);
  if (last === 0) return undefined;
  const path = await socketIn(numbered(folder, last));
  return (await answers(path)) ? path : undefined;
}

/**
 * Takes the data folder: opens the socket, mode 0600 in a folder of mode 0700. What servers that ended left behind is
 * removed.
 * @returns Releases the folder once the server is closed, which the caller does.
 * @throws {SocketTakenError} when a running server holds it; `server` does not listen then.
 */
export async function holdSocket(dataDir: string, server: Server): Promise<() => Promise<void>> {
  const folder = runFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  if ((await findSocket(dataDir)) !== undefined) throw new SocketTakenError(dataDir);
  const prepared = await mkdtemp(join(folder, 'new-'));
  try {
    await listenOwnerOnly(server, await pathFor(prepared));
    const own = await takeNumber(folder, prepared);
    await removeBelow(folder, own);
    return () => removeElsewhere(numbered(folder, own));
  } catch (error) {
    server.close();
    await removePlace(prepared);
    throw error;
  }
}

const runFolder = (dataDir: string) => join(dataDir, 'run');
const numbered = (folder: string, number: number) => join(folder, String(number));
const usualPath = (place: string) => join(place, 'afterword.sock');
/** Says where the socket is when the data directory's own path is too long for one. */
const pointerIn = (place: string) => join(place, 'socket-path');

/** The number that counts; 0: none was ever taken. */
async function lastNumber(folder: string): Promise<number> {
  return Math.max(0, ...(await numbersIn(folder)));
}

async function numbersIn(folder: string): Promise<number[]> {
  try {
    return (await readdir(folder)).filter((name) => /^[1-9]\d*$/.test(name)).map(Number);
  } catch (error) {
    // ENOTDIR: the data folder is a file, which is reported where the data is opened.
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return [];
    if (hasCode(error, 'EACCES')) throw foreign(folder);
    throw error;
  }
}

/** @returns The number the prepared folder is under now. */
async function takeNumber(folder: string, prepared: string): Promise<number> {
  for (;;) {
    const last = await lastNumber(folder);
    if (last > 0 && (await answers(await socketIn(numbered(folder, last))))) throw new SocketTakenError(folder);
    const own = last + 1;
    if (!(await moved(prepared, numbered(folder, own)))) continue;
    if ((await lastNumber(folder)) === own) return own;
    // Others took this number and a later one since the folder was read, and removed this one: the later one counts.
    await removePlace(numbered(folder, own));
    throw new SocketTakenError(folder);
  }
}

/** @returns false when there is such a folder already: one with a file in it is never replaced. */
async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOTEMPTY') || hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function socketIn(place: string): Promise<string> {
  try {
    return await readFile(pointerIn(place), 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return usualPath(place);
    if (hasCode(error, 'EACCES')) throw foreign(place);
    throw error;
  }
}

/**
 * Where a socket of a prepared folder is bound: elsewhere in a fresh folder of mode 0700 when the path would be too
 * long.
 */
async function pathFor(prepared: string): Promise<string> {
  if (fits(usualPath(prepared))) return usualPath(prepared);
  const elsewhere = usualPath(await mkdtemp(join(tmpdir(), 'afterword-')));
  await writeFile(pointerIn(prepared), elsewhere, { mode: 0o600 });
  return elsewhere;
}

async function removeBelow(folder: string, own: number): Promise<void> {
  for (const number of await numbersIn(folder)) if (number < own) await removePlace(numbered(folder, number));
}

async function removePlace(place: string): Promise<void> {
  await removeElsewhere(place);
  try {
    await rm(place, { recursive: true, force: true });
  } catch (error) {
    // A start that was overtaken has moved its folder here meanwhile, and removes it itself.
    if (!hasCode(error, 'ENOTEMPTY')) throw error;
  }
}

/** A socket that is not in its folder, which keeps the pointer to it: an empty folder could be replaced. */
async function removeElsewhere(place: string): Promise<void> {
  const path = await socketIn(place);
  if (path !== usualPath(place)) await rm(dirname(path), { recursive: true, force: true });
}

const fits = (path: string) => Buffer.byteLength(path) <= MAX_PATH_BYTES;

/**
 * Node binds a path before `listen` returns, so the narrow mask covers the moment the file appears and nothing else.
 * What the process sets it to while the server begins to listen stays.
 */
async function listenOwnerOnly(server: Server, path: string): Promise<void> {
  const listening = new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.once('listening', () => {
      server.off('error', fail);
      done();
    });
  });
  const usual = process.umask(0o177);
  try {
    server.listen(path);
  } finally {
    process.umask(usual);
  }
  await listening;
}

function answers(path: string): Promise<boolean> {
  return new Promise((done, fail) => {
    const connection = createConnection(path);
    connection.once('connect', () => {
      connection.destroy();
      done(true);
    });
    connection.once('error', (error) => {
      if (['ENOENT', 'ECONNREFUSED', 'ENOTDIR'].some((code) => hasCode(error, code))) done(false);
      // It listens, and many wait to be let in.
      else if (hasCode(error, 'EAGAIN')) done(true);
      else if (hasCode(error, 'EACCES') || hasCode(error, 'EPERM')) fail(foreign(path));
      else fail(error);
    });
  });
}

const foreign = (path: string) =>
  new CommandError(`This user may not open ${path}: run the command as the user the server runs as.`);
