// A database that does not answer, in the words of commands.
import type { StoreUnavailableError } from '../errors.ts';
import { DiskFullError } from '../storage/errors.ts';

/** The operator may know which servers those are. */
export function awayInWords(error: StoreUnavailableError): string {
  const { message, away } = error;
  if (error instanceof DiskFullError) return message;
  const which = away.length === 0 ? '' : ` Away: ${away.join(', ')}.`;
  return `${message}${which} Run the command again when it answers; afterword doctor looks for the cause.`;
}
