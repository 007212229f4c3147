// The button below the first rows of a table: it goes when it is pressed, and the focus stays at the rows.

interface Props {
  /** The rows it adds, as "50". */
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

/** The last control of what is shown: the next one after it is the first of what is added. */
function focusLastOf(shown: HTMLElement): void {
  const controls = shown.querySelectorAll<HTMLElement>('a[href], button:not(:disabled)');
  const last = [...controls].at(-1) ?? shown;
  if (last === shown) shown.tabIndex = -1;
  last.focus();
}
