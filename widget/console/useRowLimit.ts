// How many rows a table shows. The entry of the history keeps it: the back button returns to as many.
import { useState } from 'preact/hooks';
import type { Params } from './ask.ts';

const FEW = 10;
export const MANY = 50;

/**
 * @param table Its title.
 * @param scope With another one the first rows are shown.
 * @returns how many are shown, and what shows many.
 */
export function useRowLimit(table: string, scope: Params): [limit: number, showMany: () => void] {
  const [, draw] = useState({});
  const shown = JSON.stringify(scope);
  const showMany = () => {
    history.replaceState({ ...history.state, [table]: shown }, '');
    draw({});
  };
  return [history.state?.[table] === shown ? MANY : FEW, showMany];
}
