// What stands in the place of figures that cannot be shown.

export const Failed = ({ message, retry }: { message: string; retry: () => void }) => (
  <div class="state" role="alert">
    <p>{message}</p>
    <button type="button" class="again" onClick={retry}>
      Try again
    </button>
  </div>
);

export const Empty = ({ children }: { children: string }) => <p class="state soft">{children}</p>;

/** Rows as they will be: nothing moves when the figures come. */
export const Ghost = ({ rows }: { rows: number }) => (
  <div class="ghosts" role="status">
    <span class="hidden">Loading</span>
    {Array.from({ length: rows }, (_, at) => (
      <i key={at} class="ghost" aria-hidden="true" />
    ))}
  </div>
);
