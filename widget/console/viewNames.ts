// The views of the console, by their name in the address.

export const VIEW_NAMES = ['now', 'wall', 'traffic', 'post', 'lists', 'setup'] as const;
export type ViewName = (typeof VIEW_NAMES)[number];
