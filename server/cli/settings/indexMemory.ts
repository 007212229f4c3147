// Memory for the indexes of sites: what an operator says, or a share of what the machine, or the container, has.
import { availableBytes } from '../../availableMemory.ts';

const MIB = 2 ** 20;
/** The rest is for the database engine, the answers under way, and the operating system's cache of files. */
const SHARE = 0.25;
/** Of the memory for indexes, for what readers read next. */
const READERS_SHARE = 0.2;

export interface IndexMemory {
  /** Bytes for posts and the indexes over them. */
  posts: number;
  /** Bytes for what readers read next. */
  readers: number;
}

/** @param megabytes As the operator said, in MiB; undefined: nothing was said. */
export function toIndexMemory(megabytes: number | undefined, available = availableBytes()): IndexMemory {
  const bytes = megabytes === undefined ? available * SHARE : megabytes * MIB;
  return { posts: Math.floor(bytes * (1 - READERS_SHARE)), readers: Math.floor(bytes * READERS_SHARE) };
}
