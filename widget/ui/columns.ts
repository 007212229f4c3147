// The columns of a list, as its slot says them: styles beside those that all lists have.
import even from './evenGrid.css?inline';

/**
 * @param limit Posts that are asked for: fewer of them stand as they would with all.
 * @param columns The most columns, in a shadow root or in a page of its own.
 */
export const columnStyle = (layout: string | undefined, limit: unknown, columns: unknown): string =>
  (layout === 'grid' && (limit as number) % 3 === 1 ? even : '') +
  (columns ? `:host,:root{--afterword-columns:${(columns as number) >>> 0 || 'initial'}}` : '');
