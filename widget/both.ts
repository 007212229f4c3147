// The page part and the list part in one file, for pages where a list is near the window when it is found: one request
// for both.
export { attend } from './attend.ts';
export { show } from './ui/show.tsx';
