// A database that does not answer, in the words of commands.
import type { StoreUnavailableError } from '../errors.ts';

/** The operator may know which servers those are. */
export function awayInWords({ message, away }: StoreUnavailableError): string {
  const which = away.length === 0 ? '' : ` Away: ${away.join(', ')}.`;
  return `${message}${which} Run the command again when it answers; afterword doctor looks for the cause.`;
}
