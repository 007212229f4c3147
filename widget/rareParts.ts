// Parts that few pages need, for files that have them inside.
import { askByScript, sendPixels, watchVideos } from './rare/rare.ts';
import { fillItems, fitCards, openLight } from './ui/template.ts';

export const RARE_PARTS: Record<string, unknown> = {
  rare: { askByScript, sendPixels, watchVideos },
  template: { fillItems, fitCards, openLight },
};
