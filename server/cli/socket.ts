// The local door of a running server: a Unix socket in its data directory, which only its owner can open.
// Holding it also tells a second server on the same directory that there is one already.
import { chmod, mkdir, mkdtemp, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { createConnection, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError } from './commandError.ts';

/** Longest path of a socket in bytes: 104 on macOS and the BSDs, 108 on Linux, both with a closing zero. */
const MAX_PATH_BYTES = 103;

export class SocketTakenError extends Error {
  override name = 'SocketTakenError';
}

/**
 * Path of the socket of the server running on a data directory.
 * @returns undefined when none is running: no socket, or one left behind by a server that was killed.
 */
export async function findSocket(dataDir: string): Promise<string | undefined> {
  const path = await knownPath(dataDir);
  return path !== undefined && (await answers(path)) ? path : undefined;
}

/**
 * Opens the socket: mode 0600 in a folder of mode 0700. A socket left behind is replaced.
 * @returns Takes it away again; the server itself is the caller's to close.
 * @throws {SocketTakenError} when a running server holds it.
 */
export async function holdSocket(dataDir: string, server: Server): Promise<() => Promise<void>> {
  if ((await findSocket(dataDir)) !== undefined) throw new SocketTakenError(dataDir);
  const folder = runFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  await removeLeftovers(dataDir);
  const path = await freePath(dataDir);
  await listenOwnerOnly(server, path);
  return () => removeLeftovers(dataDir);
}

const runFolder = (dataDir: string) => join(dataDir, 'run');
const socketIn = (folder: string) => join(folder, 'afterword.sock');
/** Says where the socket is when the data directory's own path is too long for one. */
const pointerIn = (dataDir: string) => join(runFolder(dataDir), 'socket-path');

async function knownPath(dataDir: string): Promise<string | undefined> {
  const usual = socketIn(runFolder(dataDir));
  if (fits(usual)) return usual;
  try {
    return await readFile(pointerIn(dataDir), 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** A fresh folder of mode 0700 with a random name, which nobody can have prepared for us. */
async function freePath(dataDir: string): Promise<string> {
  const usual = socketIn(runFolder(dataDir));
  if (fits(usual)) return usual;
  const elsewhere = socketIn(await mkdtemp(join(tmpdir(), 'afterword-')));
  await writeFile(pointerIn(dataDir), elsewhere, { mode: 0o600 });
  return elsewhere;
}

async function removeLeftovers(dataDir: string): Promise<void> {
  const path = await knownPath(dataDir);
  if (path === undefined) return;
  await rm(path, { force: true });
  if (fits(socketIn(runFolder(dataDir)))) return;
  await rm(pointerIn(dataDir), { force: true });
  await removeEmpty(dirname(path));
}

async function removeEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
}

const fits = (path: string) => Buffer.byteLength(path) <= MAX_PATH_BYTES;

/** Node binds a path before `listen` returns, so the narrow mask covers the moment the file appears and nothing else. */
async function listenOwnerOnly(server: Server, path: string): Promise<void> {
  const usual = process.umask(0o177);
  try {
    await new Promise<void>((done, fail) => {
      server.once('error', fail);
      server.listen(path, () => {
        server.off('error', fail);
        done();
      });
      process.umask(usual);
    });
  } catch (error) {
    if (isCode(error, 'EADDRINUSE')) throw new SocketTakenError(path);
    throw error;
  } finally {
    process.umask(usual);
  }
}

function answers(path: string): Promise<boolean> {
  return new Promise((done, fail) => {
    const connection = createConnection(path);
    connection.once('connect', () => {
      connection.destroy();
      done(true);
    });
    connection.once('error', (error) => {
      // ENOTDIR: the data folder is a file, which whoever opens the data will say.
      if (['ENOENT', 'ECONNREFUSED', 'ENOTDIR'].some((code) => isCode(error, code))) done(false);
      else if (isCode(error, 'EACCES') || isCode(error, 'EPERM')) fail(foreign(path));
      else fail(error);
    });
  });
}

const foreign = (path: string) =>
  new CommandError(`This user may not open ${path}: run the command as the user the server runs as.`);

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
