// Focus that follows what replaces the focused element: a screen reader reads it, and the keyboard continues there.

/** A ref of what appears where something was pressed that is gone now. It has a `tabIndex` where it is no control. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus();

/** Moves the focus to the heading above what was pressed and goes now: its row, or the button itself. */
export const focusHeading = (heading: HTMLElement | null): void => heading?.focus({ preventScroll: true });

/** The figures of the view take it, for a control that goes because they are chosen otherwise now. */
export const focusFigures = (): void => focusHeading(document.getElementById('figures'));
