// Alternative titles and pictures of a post, of which lists show one to each reader.

/** Of a post, beside its own title and picture. */
export const MOST_ALTERNATIVES = 10;
/** Characters of an alternative title: more than any list shows. */
export const LONGEST_ALTERNATIVE_TITLE = 300;
