// The checksum of a part of a buffer: zlib's, whatever the part.
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc32Between } from '../../server/ingest/queue/wal/crc32.ts';

test('the checksum of any part of a buffer is the one that zlib computes', () => {
  const aPart = fc
    .uint8Array({ maxLength: 300 })
    .chain((bytes) => fc.tuple(fc.constant(bytes), fc.nat(bytes.length), fc.nat(bytes.length)));
  fc.assert(
    fc.property(aPart, ([bytes, one, other]) => {
      const [start, end] = [Math.min(one, other), Math.max(one, other)];
      expect(crc32Between(bytes, start, end)).toBe(crc32(bytes.subarray(start, end)));
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('the check value of CRC-32 is that of the catalogue of CRC algorithms', () => {
  expect(crc32Between(Buffer.from('<123456789>'), 1, 10)).toBe(0xcbf4_3926);
});
