// The rare part: what few pages need, fetched by those. It imports nothing of the other parts, which have its name from
// the build.
export { askByScript } from './jsonp.ts';
export { sendPixels } from './pixel.ts';
export { watchVideos } from './video.ts';
