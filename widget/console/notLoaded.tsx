// In place of a part of the console whose code could not be loaded.
import { readSession } from './session.ts';
import { Failed } from './states.tsx';

export const NotLoaded = ({ tryAgain }: { tryAgain: () => void }) => (
  <Failed
    message="This part of the console could not be loaded. Is the server running?"
    retry={() => void reloadOr(tryAgain)}
  />
);

/**
 * The page is loaded anew where its server answers: an upgrade may have replaced the files that it names, and some
 * browsers ask for a file that failed no second time. Its address says what it shows. Where the server does not answer,
 * the page would be lost.
 */
async function reloadOr(tryAgain: () => void): Promise<void> {
  const { code } = await readSession();
  if (code === 0) tryAgain();
  else location.reload();
}
