// The head of each page of the console: whose it is, its views, and the way out.
import type { ComponentChildren } from 'preact';
import { Mark } from './mark.tsx';

/** Moves the focus without changing the fragment of the address, which holds the token of a shared page. */
export const SkipLink = () => (
  // biome-ignore lint/a11y/useValidAnchor: it leads to a place of the page, as its address says.
  <a
    class="skip"
    href="#figures"
    onClick={(event) => {
      event.preventDefault();
      document.getElementById('figures')?.focus();
    }}
  >
    Skip to the figures
  </a>
);

export const Bar = ({ children, onSignOut }: { children: ComponentChildren; onSignOut: () => void }) => (
  <>
    <SkipLink />
    <header class="bar">
      <Mark />
      {children}
      <button type="button" onClick={onSignOut}>
        Sign out
      </button>
    </header>
  </>
);
