// The one-file build, frozen for each version as `/<version>/afterword.js`.
import { startWhole } from './whole.ts';

startWhole(document.currentScript as HTMLScriptElement);
