// How an answer says that the index of its site is still being loaded, and that the most recent posts stand in for those closest.
import { cacheControl } from './headers.ts';

export const INDEX_HEADER = 'Afterword-Index';

/** Kept nowhere: the next request may find the index loaded. */
export const INDEX_LOADING: Readonly<Record<string, string>> = {
  [INDEX_HEADER]: 'loading',
  'Cache-Control': cacheControl('private'),
};
