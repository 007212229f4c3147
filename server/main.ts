#!/usr/bin/env -S node --max-semi-space-size=32
// The `afterword` command: reads the command line, and says with its exit code how it went. Requests that wait for the
// disk take more than the 16 MiB that Node has for young objects by default, and would be copied until they are
// answered.
import { findInstallation } from './cli/installation.ts';
import { createProgram, runCommandLine } from './cli/program.ts';
import { endWithTerminal, openTerminals } from './cli/signals.ts';

const terminals = openTerminals();
process.exitCode = await runCommandLine(process.argv.slice(2), createProgram(findInstallation(import.meta.url)));
endWithTerminal(terminals);
