// How good an order is, when it is known which posts belong in it.

export interface Quality {
  /** nDCG@10 with 0/1 relevance. */
  ndcg: number;
  /** Share of the first ten that belong. */
  precision: number;
  /** 1 / rank of the first that belongs, among the first twenty. */
  reciprocal: number;
  /** Share of those that belong found among the first twenty. */
  recall: number;
}

export function qualityOf(order: readonly string[], wanted: ReadonlySet<string>): Quality {
  const hits = order.map((url) => wanted.has(url));
  const gain = (rank: number) => 1 / Math.log2(rank + 2);
  const found = hits.slice(0, 10).reduce((sum, hit, rank) => sum + (hit ? gain(rank) : 0), 0);
  let ideal = 0;
  for (let rank = 0; rank < Math.min(10, wanted.size); rank++) ideal += gain(rank);
  const first = hits.slice(0, 20).indexOf(true);
  return {
    ndcg: found / ideal,
    precision: hits.slice(0, 10).filter(Boolean).length / 10,
    reciprocal: first < 0 ? 0 : 1 / (first + 1),
    recall: hits.slice(0, 20).filter(Boolean).length / wanted.size,
  };
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
}
