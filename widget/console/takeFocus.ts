// Focus that follows what replaces the focused element: a screen reader reads it, and the keyboard continues there.
import { useContext, useEffect } from 'preact/hooks';
import { ChoosingContext } from './choiceLink.tsx';

/** A ref of what appears where something was pressed that is gone now. It has a `tabIndex` where it is no control. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus();

/** As `takeFocus`, for the control in an element. */
export const focusControl = (element: HTMLElement | null): void => takeFocus(element?.querySelector('button') ?? null);

/** Moves the focus to the heading above what was pressed and goes now: its row, or the button itself. */
export const focusHeading = (heading: HTMLElement | null): void => heading?.focus({ preventScroll: true });

/** Moves the focus to the part of the page around a control that goes when it is pressed. */
export function focusAround(control: HTMLElement): void {
  const around = control.closest<HTMLElement>('section, article, dialog, main');
  if (around !== null && !around.hasAttribute('tabindex')) around.tabIndex = -1;
  focusHeading(around);
}

/** The figures of the view take it, for a control that goes because they are chosen otherwise now. */
export const focusFigures = (): void => focusHeading(document.getElementById('figures'));

/**
 * The figures of a view take the focus where that of the view before has gone with it, as that of a link in a table. A
 * page that was just loaded begins at its beginning.
 * @param isShown They are on the page now.
 */
export function useFocusOfView(isShown: boolean): void {
  const hasChosen = useContext(ChoosingContext)?.hasChosen;
  useEffect(() => {
    if (isShown && hasChosen && document.activeElement === document.body) focusFigures();
  }, [isShown]);
}
