// The header of an answer whose site index is still loading: the most recent posts replace the closest ones.
import { cacheControl } from './headers.ts';

export const INDEX_HEADER = 'Afterword-Index';

/** Not cached: the index may be loaded at the next request. */
export const INDEX_LOADING: Readonly<Record<string, string>> = {
  [INDEX_HEADER]: 'loading',
  'Cache-Control': cacheControl('private'),
};
