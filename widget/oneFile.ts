// The one-file build, frozen for each version as `/<version>/afterword.js`.
import { ofDocument } from './unclobbered.ts';
import { startWhole } from './whole.ts';

startWhole(ofDocument('currentScript'));
