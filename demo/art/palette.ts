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
    { ground: '#f0e6dc', inks: ['#dcc3ad', '#b98b73', '#7c4a45', '#3d2a35'], spark: '#4f8a8b' },
  ],
  Technology: [
    { ground: '#10222e', inks: ['#17394a', '#1f5a68', '#3b8a8c', '#8cc7b5'], spark: '#f2b134' },
    { ground: '#1b1f3a', inks: ['#2a3160', '#40509a', '#6f86c9', '#b9c6ec'], spark: '#ff8a5b' },
    { ground: '#e6eef0', inks: ['#bcd4da', '#7fb0bd', '#3c7f95', '#1c4a63'], spark: '#f0803c' },
  ],
  Design: [
    { ground: '#f4e3d7', inks: ['#efc3a9', '#e58f76', '#c0504d', '#5b2a3c'], spark: '#2f6f73' },
    { ground: '#f3e9dc', inks: ['#f2c14e', '#f78154', '#b4436c', '#4d2d52'], spark: '#5fad9b' },
    { ground: '#e8ecdf', inks: ['#cdd9b5', '#9dbb8e', '#4f8a7b', '#27515b'], spark: '#ec7357' },
  ],
  Data: [
    { ground: '#e3ecec', inks: ['#b5d0cd', '#74aaa5', '#2f7f7c', '#134e52'], spark: '#e76f51' },
    { ground: '#0f2d33', inks: ['#17474f', '#24707a', '#56a8a5', '#b3dccf'], spark: '#f4c95d' },
    { ground: '#eae9f2', inks: ['#c9c6e0', '#9a94c4', '#5f5a97', '#2f2b5c'], spark: '#f2a65a' },
  ],
  Workplace: [
    { ground: '#f6ecd9', inks: ['#edd5a3', '#dba858', '#a8662f', '#5a3a25'], spark: '#3d6b5c' },
    { ground: '#eae6d6', inks: ['#cdd3b0', '#9bb07c', '#5f7f52', '#33492f'], spark: '#d9734a' },
    { ground: '#e4ebef', inks: ['#c2d3dc', '#8fb0c0', '#557f95', '#2c4a5e'], spark: '#f2b84b' },
  ],
  Contracts: [
    { ground: '#ebe7e2', inks: ['#d2cac2', '#a89c94', '#6d6875', '#3a3545'], spark: '#b5838d' },
    { ground: '#e8e4ea', inks: ['#cfc6d6', '#a193b3', '#6b5b86', '#3b2f55'], spark: '#e9a15b' },
    { ground: '#e9ebe4', inks: ['#cfd3c2', '#a1ab90', '#68755c', '#353f33'], spark: '#c9793f' },
  ],
  Ideas: [
    { ground: '#f7efe6', inks: ['#f5d6c0', '#e9a98a', '#b76e79', '#5d3a58'], spark: '#457b9d' },
    { ground: '#20223a', inks: ['#34385f', '#565b93', '#9a86b6', '#e2c2c6'], spark: '#f6bd60' },
    { ground: '#e5efe9', inks: ['#b9dac9', '#7cb9a4', '#3d8577', '#1d4b4a'], spark: '#f28f6b' },
  ],
};

export function paletteFor(section: SectionName, seed: number): Palette {
  const choices = PALETTES[section];
  return choices[seed % choices.length]!;
}
