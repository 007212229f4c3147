// What is chosen, kept in the address of the page: a link to it shows the same to a colleague.
import { OPTIONS, type Values } from './options.ts';
import type { Choice } from './snippet.ts';

export interface State extends Choice {
  /** Page a related list is shown for. */
  post: string;
}

export function readState(search: string, site: string): State {
  const query = new URLSearchParams(search);
  const said = (name: string) => query.get(name) ?? '';
  const values: Record<string, string> = {};
  for (const { name } of OPTIONS) if (query.has(name)) values[name] = said(name);
  return {
    site: said('site') || site,
    kind: said('kind') === 'top' ? 'top' : 'related',
    values: values satisfies Values,
    accent: /^#[\da-f]{6}$/i.test(said('accent')) ? said('accent') : '',
    radius: /^\d{1,2}$/.test(said('radius')) ? said('radius') : '',
    css: /^https?:/.test(said('css')) ? said('css') : '',
    page: /^https?:/.test(said('page')) ? said('page') : '',
    post: said('post'),
  };
}

export function writeState({ site, kind, values, accent, radius, css, page, post }: State): string {
  const query = new URLSearchParams();
  const say = (name: string, value: string, initial = '') => value !== initial && query.set(name, value);
  say('site', site);
  say('kind', kind, 'related');
  for (const { name, initial } of OPTIONS) say(name, values[name] ?? initial, initial);
  say('accent', accent);
  say('radius', radius);
  say('css', css);
  say('page', page);
  say('post', post);
  return `?${query}`;
}
