// Styles of a list beside those that all lists have: of its layout, and of what its slot says of columns.
import compact from './compact.css?inline';
import even from './evenGrid.css?inline';
import grid from './grid.css?inline';
import row from './row.css?inline';

/**
 * @param layout An unknown one looks like a plain list.
 * @param limit Posts that are asked for: fewer of them stand as they would with all.
 * @param columns The most columns, in a shadow root or in a page of its own.
 */
export function layoutStyle(layout: string | undefined, limit: unknown, columns: unknown): string {
  const style =
    layout === 'grid'
      ? grid + ((limit as number) % 3 === 1 ? even : '')
      : layout === 'row'
        ? row
        : layout === 'compact'
          ? compact
          : '';
  return columns ? `${style}:host,:root{--afterword-columns:${(columns as number) >>> 0 || 'initial'}}` : style;
}
