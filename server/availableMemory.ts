// The memory of the machine, or of the container that this process runs in.
import { totalmem } from 'node:os';
import process from 'node:process';

/** Bytes that this process may take: a cgroup without a limit says 0, nothing, or more than there is. */
export function availableBytes(): number {
  const limit = process.constrainedMemory();
  return Math.min(totalmem(), limit || Number.POSITIVE_INFINITY);
}
