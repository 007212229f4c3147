// The page's title, which distinguishes tabs, bookmarks and entries of the history.
import { useEffect } from 'preact/hooks';

/** @param parts What is shown, and whose it is. They may come from outside: a title is text. */
export function usePageTitle(...parts: readonly string[]): void {
  const title = [...parts, 'Afterword'].join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
