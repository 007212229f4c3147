// Horizontal lines of a picture, each with its value at the left.

interface Props {
  ticks: readonly number[];
  /** Height of a value in the picture. */
  y: (value: number) => number;
  width: number;
  /** What the picture leaves free beside its lines. */
  room: { left: number; right: number };
  label: (value: number) => string;
}

export const GridLines = ({ ticks, y, width, room, label }: Props) => (
  <>
    {ticks.map((tick) => (
      <g key={tick} class="tick">
        <line x1={room.left} x2={width - room.right} y1={y(tick)} y2={y(tick)} />
        <text x={room.left - 8} y={y(tick) + 4} text-anchor="end">
          {label(tick)}
        </text>
      </g>
    ))}
  </>
);
