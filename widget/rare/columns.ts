// The most columns of a list, where its slot says it.
import type { Look } from '../ui/root.tsx';

/** In a shadow root, or in a page of its own. */
export const dress = ({ columns }: Look): string =>
  `:host,:root{--afterword-columns:${(columns as unknown as number) >>> 0 || 'initial'}}`;
