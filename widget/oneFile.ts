// The one-file build, frozen for each version as `/<version>/afterword.js`. It fetches no code: it is what a page pins
// by its hash. It has every layout; headings in other languages than English, arrows of rows and play marks are left
// out.
import { askByScript, sendPixels, watchVideos } from './rare/rare.ts';
import { fillItems, fitCards, openLight } from './ui/template.ts';
import { ofDocument } from './unclobbered.ts';
import { startWhole } from './whole.ts';

const RARE_PARTS: Record<string, unknown> = {
  rare: { askByScript, sendPixels, watchVideos },
  template: { fillItems, fitCards, openLight },
};

startWhole(ofDocument('currentScript'), (part) => RARE_PARTS[part]);
