/** Titles of the posts in the HTML of a list, in its order. */
export const titlesIn = (html: string): string[] =>
  [...html.matchAll(/<a part="link"[^>]*><bdi>([^<]*)</g)].map(([, title]) => title!);
