// The name of the program, with its sign.
export const Mark = () => (
  <span class="mark">
    <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M8 24v-6m8 6V14m8 10V8" />
    </svg>
    Afterword
  </span>
);
