// The page part and the list part in one file, for pages where a list is near the window when it is found: one request
// for both.
import { attend as attendWith } from './attend.ts';
import type { Host } from './host.ts';
import { show } from './ui/show.tsx';

export const attend = (host: Host): void => attendWith(host, { show });
