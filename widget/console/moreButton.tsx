// The button below the first rows of a table, which loads more of them. It is removed when pressed; the focus moves to
// the last row before it.

interface Props {
  /** How many rows are shown then, such as "50". */
  count: string;
  /** What they are, for a screen reader. */
  of: string;
  onClick: () => void;
}

export const MoreButton = ({ count, of, onClick }: Props) => (
  <button
    type="button"
    class="more"
    onClick={({ currentTarget }) => {
      focusLastOf(currentTarget.previousElementSibling as HTMLElement);
      onClick();
    }}
  >
    Show {count}
    <span class="hidden"> {of}</span>
  </button>
);

/** Focuses the last control of the rows shown: the next tab stop is the first row added. */
function focusLastOf(shown: HTMLElement): void {
  const controls = shown.querySelectorAll<HTMLElement>('a[href], button:not(:disabled)');
  const last = [...controls].at(-1) ?? shown;
  if (last === shown) shown.tabIndex = -1;
  last.focus();
}
