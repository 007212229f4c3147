// A disk so small that a test can fill it: a file system in memory that only processes of this test see, which needs no rights
// but those Linux gives every user (a user namespace with mounts of its own).
//
//   const disk = await openSmallDisk(64 * MIB);            or a text that says why there is none
//   await startServer({ dataDir: disk.folder, within: disk.within });
//   disk.fill(); … disk.makeRoom();
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, ftruncateSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataDir } from './dataDir.ts';
import { isCode } from './until.ts';

export interface SmallDisk {
  /** Where it is, for programs that run within. */
  folder: string;
  /** Words before a command that is to see it. */
  within: readonly string[];
  /** The same folder, for this process. */
  seen: string;
  /**
   * Not a byte more fits.
   * @param but Bytes that are left all the same. Default: none.
   */
  fill(but?: number): void;
  makeRoom(): void;
  close(): Promise<void>;
}

const PAGE = 4096;

/**
 * @param files How many files it has room for. Default: as many as the system allows.
 * @returns Why there is none, where this machine does not let its users make one.
 */
export async function openSmallDisk(bytes: number, files?: number): Promise<SmallDisk | string> {
  if (process.platform !== 'linux') return `${process.platform} has no user namespaces`;
  const folder = makeDataDir();
  // It is there as long as this process is, which ends with the test: its standard input closes.
  const script = `mount -t tmpfs -o size=${bytes}${files === undefined ? '' : `,nr_inodes=${files}`} tmpfs "$0" && echo mounted && exec cat`;
  const holder = spawn('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', script, folder]);
  const ended = once(holder, 'exit');
  let complaint = '';
  holder.stderr.on('data', (text) => {
    complaint += text;
  });
  const mounted = once(holder.stdout, 'data').then(() => true);
  if (!(await Promise.race([mounted, ended.then(() => false)]).catch(() => false))) {
    return `no file system can be mounted: ${complaint.trim() || 'there is no unshare'}`;
  }
  const seen = join(`/proc/${holder.pid}/root`, folder);
  const ballast = join(seen, 'ballast');
  return {
    folder,
    within: ['nsenter', '--target', String(holder.pid), '--user', '--mount', '--preserve-credentials'],
    seen,
    fill(but = 0) {
      const file = openSync(ballast, 'a');
      try {
        // A program that works on the disk may free some of it meanwhile.
        do {
          try {
            for (;;) writeSync(file, Buffer.alloc(PAGE));
          } catch (error) {
            if (!isCode(error, 'ENOSPC')) throw error;
          }
        } while (statfsSync(seen).bfree > 0);
        if (but > 0) ftruncateSync(file, fstatSync(file).size - but);
      } finally {
        closeSync(file);
      }
    },
    makeRoom: () => rmSync(ballast),
    async close() {
      holder.stdin.end();
      await ended;
    },
  };
}
