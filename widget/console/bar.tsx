// The head of each page of the console: whose it is, its views, and the way out.
import type { ComponentChildren } from 'preact';
import { Mark } from './mark.tsx';

export const Bar = ({ children, onSignOut }: { children: ComponentChildren; onSignOut: () => void }) => (
  <>
    <a class="skip" href="#figures">
      Skip to the figures
    </a>
    <header class="bar">
      <Mark />
      {children}
      <button type="button" onClick={onSignOut}>
        Sign out
      </button>
    </header>
  </>
);
