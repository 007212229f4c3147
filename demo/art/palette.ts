// Colours of the cover art: one family per section, so that a page of covers belongs together.
import type { SectionName } from '../articles/sections.ts';

export interface Palette {
  /** Background, the calmest colour. */
  ground: string;
  /** From far to near. */
  inks: readonly [string, string, string, string];
  /** Used once or twice in a cover. */
  spark: string;
}

const PALETTES: Record<SectionName, readonly Palette[]> = {
  Government: [
    { ground: '#e9e2d2', inks: ['#c9bfa5', '#8fa3a8', '#3f6473', '#1f3a4a'], spark: '#c8553d' },
    { ground: '#dfe4e2', inks: ['#b9c6c4', '#7f9aa0', '#44687a', '#24394b'], spark: '#e0a458' },
  ],
  Technology: [
    { ground: '#10222e', inks: ['#17394a', '#1f5a68', '#3b8a8c', '#8cc7b5'], spark: '#f2b134' },
    { ground: '#1b1f3a', inks: ['#2a3160', '#40509a', '#6f86c9', '#b9c6ec'], spark: '#ff8a5b' },
  ],
  Design: [
    { ground: '#f4e3d7', inks: ['#efc3a9', '#e58f76', '#c0504d', '#5b2a3c'], spark: '#2f6f73' },
    { ground: '#f3e9dc', inks: ['#f2c14e', '#f78154', '#b4436c', '#4d2d52'], spark: '#5fad9b' },
  ],
  Data: [
    { ground: '#e3ecec', inks: ['#b5d0cd', '#74aaa5', '#2f7f7c', '#134e52'], spark: '#e76f51' },
    { ground: '#0f2d33', inks: ['#17474f', '#24707a', '#56a8a5', '#b3dccf'], spark: '#f4c95d' },
  ],
  Workplace: [
    { ground: '#f6ecd9', inks: ['#edd5a3', '#dba858', '#a8662f', '#5a3a25'], spark: '#3d6b5c' },
    { ground: '#eae6d6', inks: ['#cdd3b0', '#9bb07c', '#5f7f52', '#33492f'], spark: '#d9734a' },
  ],
  Contracts: [
    { ground: '#ebe7e2', inks: ['#d2cac2', '#a89c94', '#6d6875', '#3a3545'], spark: '#b5838d' },
    { ground: '#e8e4ea', inks: ['#cfc6d6', '#a193b3', '#6b5b86', '#3b2f55'], spark: '#e9a15b' },
  ],
  Ideas: [
    { ground: '#f7efe6', inks: ['#f5d6c0', '#e9a98a', '#b76e79', '#5d3a58'], spark: '#457b9d' },
    { ground: '#20223a', inks: ['#34385f', '#565b93', '#9a86b6', '#e2c2c6'], spark: '#f6bd60' },
  ],
};

export function paletteFor(section: SectionName, seed: number): Palette {
  const choices = PALETTES[section];
  return choices[seed % choices.length]!;
}
