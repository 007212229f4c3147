#!/usr/bin/env -S node --max-semi-space-size=32
// The `afterword-demo` command: the server with a demonstration newspaper. A program of its own, so that the server's package
// holds neither its articles nor its films.
import { findInstallation } from '../server/cli/installation.ts';
import { configured, runCommandLine } from '../server/cli/program.ts';
import { endWithTerminal, openTerminals } from '../server/cli/signals.ts';
import { demoCommand } from './demoCommand.ts';

const terminals = openTerminals();
const installation = findInstallation(import.meta.url);
process.exitCode = await runCommandLine(process.argv.slice(2), configured(demoCommand(installation), installation));
endWithTerminal(terminals);
