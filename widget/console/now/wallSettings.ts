// What a screen on a wall shows, as its address says it.

export interface WallSettings {
  /** Posts that are listed. */
  posts: number;
  theme: 'dark' | 'light' | 'device';
}

const THEMES = ['dark', 'light', 'device'] as const;
const DEFAULT_POSTS = 8;
/** More could not be read from five metres. */
const MAX_POSTS = 15;

/** Reads the query of an address. What is not understood has its default. */
export function readWallSettings(search: string): WallSettings {
  const query = new URLSearchParams(search);
  const posts = /^\d{1,3}$/.test(query.get('posts') ?? '') ? Number(query.get('posts')) : DEFAULT_POSTS;
  return {
    posts: Math.max(1, Math.min(MAX_POSTS, posts)),
    theme: THEMES.find((theme) => theme === query.get('theme')) ?? 'dark',
  };
}
