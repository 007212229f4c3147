#!/bin/sh
# What the driver starts as Firefox: the relay, which starts the Firefox of the machine.
exec node --import tsx "$(dirname "$0")/firefoxRelay.ts" "$@"
