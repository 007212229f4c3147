// Whether a post gains or loses readers, as a sign and a word.
import type { Trend } from '../../../server/contract/now.ts';

const SIGNS: Record<Trend, string> = { gaining: '▲', steady: '', losing: '▼' };

export const TrendSign = ({ trend }: { trend: Trend }) => (
  <span class={`trend ${trend}`}>
    <i aria-hidden="true">{SIGNS[trend]}</i> {trend}
  </span>
);
