// How much room a disk needs. Pure.

const GIB = 1024 ** 3;
/** Below this the database may not be able to merge its files. */
const TIGHT_BYTES = 2 * GIB;
const FULL_BYTES = GIB / 4;

export type DiskRoom = 'enough' | 'tight' | 'full';

/** @param free Bytes. */
export function diskRoom(free: number): DiskRoom {
  if (free < FULL_BYTES) return 'full';
  return free < TIGHT_BYTES ? 'tight' : 'enough';
}

/** What to do about it. */
export const DISK_REMEDY: Readonly<Record<Exclude<DiskRoom, 'enough'>, string>> = {
  full: 'Make room now: nothing can be stored on a full disk.',
  tight: 'Make room: the database needs space to merge its files.',
};
/** What to do about a disk that is mounted read-only. */
export const READ_ONLY_REMEDY = "Look for faults of the disk in the kernel's log (dmesg), then mount it for writing.";

/** Such as `1.8 GiB free`. */
export const freeText = (free: number): string => `${(free / GIB).toFixed(1)} GiB free`;
