#!/usr/bin/env node
// The `afterword` command.
console.log('afterword');
