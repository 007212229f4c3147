// The document title, which distinguishes tabs, bookmarks and history entries.
import { useEffect } from 'preact/hooks';

/** @param parts Such as the view and the Site ID, most specific first. Untrusted text is safe: a title is no markup. */
export function usePageTitle(...parts: readonly string[]): void {
  const title = [...parts, 'Afterword'].join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
