// What stands in the place of figures that cannot be shown.
import type { ComponentChildren } from 'preact';
import { focusAround } from './takeFocus.ts';

/** The button goes when the figures come, or when they are waited for. */
const retrying =
  (retry: () => void) =>
  ({ currentTarget }: { currentTarget: HTMLElement }): void => {
    focusAround(currentTarget);
    retry();
  };

export const Failed = ({ message, retry }: { message: string; retry: () => void }) => (
  <div class="state" role="alert">
    <p>{message}</p>
    <button type="button" class="again" onClick={retrying(retry)}>
      Try again
    </button>
  </div>
);

/** Figures are shown that could not be asked for again. @param pause Seconds until they are. */
export const Stale = ({ message, pause, retry }: { message: string; pause: number; retry: () => void }) => (
  <p class="stale">
    {message} Asked again in {pause} seconds.{' '}
    <button type="button" class="plain" onClick={retrying(retry)}>
      Ask now
    </button>
  </p>
);

export const Empty = ({ children }: { children: ComponentChildren }) => (
  <div class="state soft">
    <p>{children}</p>
  </div>
);

/** A page of which nothing is known yet: a screen reader finds its place and its heading. */
export const Looking = () => (
  <main>
    <h1 class="looking">Loading…</h1>
  </main>
);

/** Rows as they will be: nothing moves when the figures come. */
export const Ghost = ({ rows }: { rows: number }) => (
  <div class="ghosts" role="status">
    <span class="hidden">Loading</span>
    {Array.from({ length: rows }, (_, at) => (
      <i key={at} class="ghost" aria-hidden="true" />
    ))}
  </div>
);
