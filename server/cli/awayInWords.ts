// Error texts for a database that does not answer.
import type { StoreUnavailableError } from '../errors.ts';
import { DiskFullError } from '../storage/errors.ts';
import { asWord } from './output.ts';

/**
 * The operator may know which servers those are.
 * @param folder Where the data is, if the database is inside the process and it is known.
 */
export function awayInWords(error: StoreUnavailableError, folder?: string): string {
  const { message, away } = error;
  if (error instanceof DiskFullError)
    return folder === undefined ? message : `${message} It is the disk of ${folder}; df -h ${asWord(folder)} shows it.`;
  const which = away.length === 0 ? '' : ` Away: ${away.join(', ')}.`;
  return `${message}${which} Run the command again when it answers; afterword doctor looks for the cause.`;
}
