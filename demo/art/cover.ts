// Cover art drawn from a seed: the same article always has the same picture, and no picture is fetched.
import type { SectionName } from '../articles/sections.ts';
import { hash32, seeded } from '../world/random.ts';
import { paletteFor } from './palette.ts';
import { STYLES } from './styles.ts';

/** Canvas of the drawings, 16 by 9. */
export const COVER = { width: 1200, height: 675 } as const;

/**
 * The cover of an article as an SVG document.
 * @param width pixels the picture says it has; its height follows at 16 by 9.
 */
export function drawCover({ slug, section, width }: { slug: string; section: SectionName; width: number }): string {
  const palette = paletteFor(section, hash32('palette', slug));
  const style = STYLES[hash32('style', slug) % STYLES.length]!;
  const drawing = style(seeded('cover', slug), palette);
  const height = Math.round((width * COVER.height) / COVER.width);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${COVER.width} ${COVER.height}" ` +
    `preserveAspectRatio="xMidYMid slice"><rect width="100%" height="100%" fill="${palette.ground}"/>${drawing}</svg>`
  );
}
