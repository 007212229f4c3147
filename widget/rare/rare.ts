// The rare part: what few pages need, fetched by those. It imports nothing of the other parts, which are told its name.
export { askByScript } from './jsonp.ts';
export { sendPixels } from './pixel.ts';
export { watchVideos } from './video.ts';
