// Rate limits (token buckets) by network of addresses or by site, in bounded memory.
import { BlockList, isIP } from 'node:net';
import { LRUCache } from 'lru-cache';

export interface Rate {
  perSecond: number;
  /** Events that may come at once after a time without any. */
  burst: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

export interface RateLimit {
  /** @returns How many of `count` may pass now (epoch milliseconds). */
  take(key: string, count: number, now: number): number;
  /** Takes all of `count`, also where fewer are left: the balance may be negative, and later requests wait. */
  charge(key: string, count: number, now: number): void;
  /** @returns Milliseconds until `count` may pass; 0: now. Changes nothing. */
  wait(key: string, count: number, now: number): number;
  /** @returns How many may pass now, and milliseconds until a full burst may again. Changes nothing. */
  left(key: string, now: number): { count: number; fullInMs: number };
}

/** @param keys Remembered at most; the one unseen for longest is forgotten, and starts with a full burst again. */
export function createRateLimit({ perSecond, burst }: Rate, keys = 50_000): RateLimit {
  /** Created on first use: it allocates all of its places at once, which takes milliseconds. */
  let buckets: LRUCache<string, Bucket> | undefined;
  function filled(bucket: Bucket | undefined, now: number): number {
    return bucket === undefined
      ? burst
      : Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * perSecond);
  }
  const tokensOf = (key: string, now: number) => filled(buckets?.get(key), now);
  function bucketOf(key: string, now: number): Bucket {
    buckets ??= new LRUCache<string, Bucket>({ max: keys });
    const known = buckets.get(key);
    const bucket = known ?? { tokens: burst, at: now };
    if (known === undefined) buckets.set(key, bucket);
    bucket.tokens = filled(bucket, now);
    bucket.at = now;
    return bucket;
  }
  return {
    take(key, count, now) {
      const bucket = bucketOf(key, now);
      const taken = Math.max(0, Math.min(count, Math.floor(bucket.tokens)));
      bucket.tokens -= taken;
      return taken;
    },
    charge(key, count, now) {
      bucketOf(key, now).tokens -= count;
    },
    left(key, now) {
      const tokens = tokensOf(key, now);
      return { count: Math.max(0, Math.floor(tokens)), fullInMs: Math.ceil(((burst - tokens) / perSecond) * 1000) };
    },
    wait: (key, count, now) => Math.ceil((Math.max(0, count - tokensOf(key, now)) / perSecond) * 1000),
  };
}

const ours = new BlockList();
for (const [net, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const) {
  ours.addSubnet(net, bits, 'ipv4');
}
for (const [net, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  ours.addSubnet(net, bits, 'ipv6');
}

/**
 * The /24 of an IPv4 address, the /48 of an IPv6 one: a client that has one address there has many.
 * @returns undefined for private networks: behind a proxy that is not declared as trusted, all clients have its
 *   address.
 */
export function prefixOf(address: string): string | undefined {
  const known = prefixes.get(address);
  if (known) return known.prefix;
  const prefix = findPrefix(address);
  prefixes.set(address, { prefix });
  return prefix;
}

/** Most requests come from addresses that came before. */
const prefixes = new LRUCache<string, { prefix: string | undefined }>({ max: 10_000 });

function findPrefix(address: string): string | undefined {
  const family = isIP(address);
  if (family === 0 || ours.check(address, family === 4 ? 'ipv4' : 'ipv6')) return undefined;
  if (family === 4) return address.slice(0, address.lastIndexOf('.'));
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  // Of `::` only its beginning matters: the zeros it stands for.
  const first = tail === undefined ? groups : [...groups, '0', '0', '0'];
  return first
    .slice(0, 3)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
