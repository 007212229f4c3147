// Double clicks on what removes or confirms something.

/**
 * Whether a click is the second one of a double click: what the first one was meant for is gone by then, and the next
 * row, or the question whether it is meant, stands below the pointer.
 */
export const isSecondClick = ({ detail }: Pick<MouseEvent, 'detail'>): boolean => detail > 1;
