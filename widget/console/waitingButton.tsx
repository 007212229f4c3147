// A button that waits for the server once it was pressed.
import type { JSX } from 'preact';
import { isSecondClick } from './secondClick.ts';

type Props = Omit<JSX.IntrinsicElements['button'], 'disabled' | 'onClick'> & {
  /** Its action runs: a press does nothing. */
  isBusy: boolean;
  onClick?: (event: MouseEvent) => void;
};

/** Not `disabled`, which takes the focus from a button that was pressed by the keyboard, and gives it back to none. */
export const WaitingButton = ({ isBusy, onClick, ...button }: Props) => (
  <button
    {...button}
    aria-disabled={isBusy}
    onClick={(event) => {
      // Of a form: it is not sent, by the Enter key neither.
      if (isBusy || isSecondClick(event)) event.preventDefault();
      else onClick?.(event);
    }}
  />
);
