// A post or a video that is named by its publisher's own id instead of an address, as older apps and players do.

const PREFIX = 'post-id:';

// Whatever an id is, it is a line of text.
const NAME = /^post-id:\P{Cc}{1,200}$/u;

/** The name under which views of a post are stored whose address is not known yet. */
export const nameOfPostId = (id: string): string => `${PREFIX}${id}`;

/** Whether a text stands for an address of a page as `nameOfPostId` makes it. */
export const isNameOfPostId = (text: string): boolean => NAME.test(text);

/** The id in the name of a page or a video; undefined for an address. */
export function postIdIn(name: string): string | undefined {
  if (name.startsWith(PREFIX)) return name.slice(PREFIX.length);
  return /^https?:/i.test(name) ? undefined : name;
}
