// One line of a file of vectors: a post's URL and the numbers its operator computed.
import { canonicalUrl } from '../../posts/canonicalUrl.ts';
import { LEAST_DIMENSIONS, MOST_DIMENSIONS, quantised } from '../../textindex/embeddings.ts';

/** @returns Why not, where a line is no vector. */
export function importVector(
  line: unknown,
): { url: string; vector: Int8Array } | 'no-object' | 'no-url' | 'no-vector' | 'zero-vector' {
  if (typeof line !== 'object' || line === null || Array.isArray(line)) return 'no-object';
  const { url: named, vector } = line as { url?: unknown; vector?: unknown };
  const url = typeof named === 'string' ? canonicalUrl(named) : undefined;
  if (url === undefined) return 'no-url';
  if (!isVector(vector)) return 'no-vector';
  if (vector.every((one) => one === 0)) return 'zero-vector';
  return { url, vector: quantised(vector) };
}

const isVector = (value: unknown): value is number[] =>
  Array.isArray(value) &&
  value.length >= LEAST_DIMENSIONS &&
  value.length <= MOST_DIMENSIONS &&
  value.every((one) => typeof one === 'number' && Number.isFinite(one));
