// What the doctor finds: one line each, and what to do about it.

export interface Finding {
  /** What was looked at: "data folder". */
  about: string;
  state: 'ok' | 'warning' | 'problem';
  says: string;
  /** What to do, where something is to be done. */
  remedy?: string;
}

export const ok = (about: string, says: string): Finding => ({ about, state: 'ok', says });
export const warning = (about: string, says: string, remedy: string): Finding => ({
  about,
  state: 'warning',
  says,
  remedy,
});
export const problem = (about: string, says: string, remedy: string): Finding => ({
  about,
  state: 'problem',
  says,
  remedy,
});
