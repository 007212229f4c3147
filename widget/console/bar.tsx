// The head of each page of the console: whose it is, its views, and the way out.
import type { ComponentChildren } from 'preact';
import { Mark } from './mark.tsx';

/**
 * Moves the focus without changing the fragment of the address, which holds the token of a shared page.
 * @param props.to Id of what takes it, and its name. Default: the figures of the view.
 */
export const SkipLink = ({ to = 'figures' }: { to?: string }) => (
  <a
    class="skip"
    href={`#${to}`}
    onClick={(event) => {
      event.preventDefault();
      document.getElementById(to)?.focus();
    }}
  >
    Skip to the {to}
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
