// What an operator should read when a command cannot do its work: one sentence, no stack.

/** Exit codes: 1 the command failed, 2 the command line is wrong. */
export type ExitCode = 1 | 2;

export class CommandError extends Error {
  override name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = 1, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
