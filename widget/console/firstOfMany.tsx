// The first of many, and a button that shows the others in their place.
import type { ComponentChild } from 'preact';
import { useState } from 'preact/hooks';

interface Props {
  all: readonly ComponentChild[];
  /** Shown at first. */
  most: number;
  /** What they are, such as `authors`. */
  of: string;
}

export function FirstOfMany({ all, most, of }: Props) {
  const [isOpen, setOpen] = useState(false);
  const left = all.length - most;
  // A button takes as much room as one of them.
  if (left < 2) return <>{all}</>;
  return (
    <>
      {isOpen ? all : all.slice(0, most)}
      <button type="button" class="fact others" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'fewer' : `and ${left} more`}
        <span class="hidden"> {of}</span>
      </button>
    </>
  );
}
