// The one-file build, frozen for each version as `/<version>/afterword.js`. It fetches no code: it is what a page pins by its hash. It has
// every layout; headings in other languages than English, numbers of equal names, arrows of rows and play marks are left out.
import * as columns from './rare/columns.ts';
import * as compact from './rare/compact.ts';
import * as dates from './rare/dates.ts';
import * as grid from './rare/grid.ts';
import * as row from './rare/row.ts';
import { RARE_PARTS } from './rareParts.ts';
import { ofDocument } from './unclobbered.ts';
import { startWhole } from './whole.ts';

const PARTS: Record<string, unknown> = { ...RARE_PARTS, columns, compact, dates, grid, row };

startWhole(ofDocument('currentScript'), (part) => PARTS[part]);
