// Whether a file or folder is there.
import { access } from 'node:fs/promises';

/** Also false for what this user may not look at. */
export const pathExists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
