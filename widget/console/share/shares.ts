// Links to views, as the server lists, makes and revokes them.
import { type Asked, change, JSON_TYPE, send } from '../ask.ts';

export interface Share {
  id: string;
  name: string;
  /** The query of the address that it shows. */
  search: string;
  /** ISO 8601. */
  until: string;
}

export interface MadeShare extends Share {
  /** Relative to the console's folder, with what opens it after the #. */
  path: string;
}

export const listShares = (): Promise<Asked<{ data: Share[] }>> => send('shares', {});

export const makeShare = (
  token: string,
  input: { name: string; days: number; search: string },
): Promise<Asked<{ data: MadeShare }>> =>
  change(token, 'shares', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(input) });

export const revokeShare = (token: string, id: string): Promise<Asked<object>> =>
  change(token, `shares/${encodeURIComponent(id)}`, { method: 'DELETE' });
