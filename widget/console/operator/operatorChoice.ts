// What the operator has chosen, in the address of the page: a reload and the back button show the same.
import { useCallback, useEffect, useState } from 'preact/hooks';
import { SITE_ORDERS, type SiteOrder } from '../../../server/contract/operator.ts';

export interface OperatorChoice {
  view: 'sites' | 'server';
  /** What sites are looked for. */
  find: string;
  sort: SiteOrder;
  /** From 1. */
  page: number;
}

const INITIAL: OperatorChoice = { view: 'sites', find: '', sort: 'views', page: 1 };

const MAX_FIND = 253;

/** Reads the query of an address. What is not understood has its default. */
function readOperatorChoice(search: string): OperatorChoice {
  const query = new URLSearchParams(search);
  const page = query.get('page') ?? '';
  return {
    view: query.get('view') === 'server' ? 'server' : 'sites',
    find: (query.get('find') ?? '').slice(0, MAX_FIND),
    sort: SITE_ORDERS.find((name) => name === query.get('sort')) ?? INITIAL.sort,
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
  };
}

/** The query of the address; "" for the initial choice. */
export function writeOperatorChoice(choice: OperatorChoice): string {
  const query = new URLSearchParams();
  for (const name of ['view', 'find', 'sort', 'page'] as const)
    if (choice[name] !== INITIAL[name]) query.set(name, String(choice[name]));
  const text = query.toString();
  return text && `?${text}`;
}

export type Choose = (change: Partial<OperatorChoice>, how?: 'typed') => void;

/** @returns The choice, and what sets some of it; while something is typed, no entry of the history is made. */
export function useOperatorChoice(): [choice: OperatorChoice, choose: Choose] {
  const [choice, setChoice] = useState(() => readOperatorChoice(location.search));
  useEffect(() => {
    const onPop = () => setChoice(readOperatorChoice(location.search));
    addEventListener('popstate', onPop);
    return () => removeEventListener('popstate', onPop);
  }, []);
  const choose = useCallback<Choose>((change, how) => {
    const next = { ...readOperatorChoice(location.search), ...change };
    const address = location.pathname + writeOperatorChoice(next);
    if (how === 'typed') history.replaceState(null, '', address);
    else if (address !== location.pathname + location.search) history.pushState(null, '', address);
    setChoice(next);
  }, []);
  return [choice, choose];
}
