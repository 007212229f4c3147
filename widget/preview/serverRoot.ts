// Where the server is that the preview's parts ask: a proxy may put it below a prefix.
import { createContext } from 'preact';

/** Address of the server's root without a slash at its end, relative to the page. Default: of the page `/preview`. */
export const ServerRoot = createContext('.');
