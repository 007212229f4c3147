// The layout of a grid.
import type { Look } from '../ui/root.tsx';
import even from './evenGrid.css?inline';
import css from './grid.css?inline';

/** By the posts that are asked for: fewer of them stand as they would with all. */
export const dress = ({ limit }: Look): string => css + (Number(limit) % 3 === 1 ? even : '');
