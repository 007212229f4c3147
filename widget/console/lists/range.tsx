// A rate with its 95 % interval, drawn: the line from the lower end to the upper one, a mark at the rate. Beside others
// on one scale it is seen which of them differ.

interface Props {
  low: number;
  rate: number;
  high: number;
  /** End of the scale. */
  most: number;
}

export function Range({ low, rate, high, most }: Props) {
  const at = (value: number) => `${Math.round((most === 0 ? 0 : Math.min(1, value / most)) * 1000) / 10}%`;
  return (
    <span class="range" aria-hidden="true">
      <i style={{ insetInlineStart: at(low), width: at(high - low) }} />
      <b style={{ insetInlineStart: at(rate) }} />
    </span>
  );
}
