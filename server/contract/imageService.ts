// What the address of an image service is, for the parameters of fragments and the check of a page.

/** On the web, with a place for the address of the picture itself. */
export const IMAGE_SERVICE = /^https?:\/\/[^/]+\/.*\{url\}/i;
