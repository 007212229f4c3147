// The schema: every table with rows of users, and how a database of an earlier release becomes one of this release. A
// new database is created as it is declared here; `upgrades` are for those that are there.
import { CAUSED_VIEWS, SETTLED_DAYS } from './causedViews.ts';
import { ANNOTATIONS, CONSOLE_SESSIONS, FRONTIERS, OPERATOR_TOKENS, SHARED_VIEWS } from './consoleTables.ts';
import { EVENTS } from './events.ts';
import { LEDGER, LEDGER_DAYS, LEDGER_QUARTERS, LEDGER_TOTALS } from './ledger.ts';
import { MATERIALISED_DAYS, MATERIALISED_FIRST_VIEWS, MATERIALISED_HOURS } from './materialisedHours.ts';
import { MESSAGE_ATTEMPTS, MESSAGES } from './messages.ts';
import { RECORDS } from './records.ts';
import { ROLL_UPS } from './rollUps.ts';
import type { Table } from './table.ts';

/** From the schema of one release to the next one. Once it is released it is never edited. */
export interface Upgrade {
  /** Versions: `to` is one more than `from`. */
  from: number;
  to: number;
  /** What it changes, a few words for the plan and the log. */
  name: string;
  /**
   * Run in this order on each server, and by each server of a shard: SQL, or a table that is created with its views
   * where they are missing. DDL is not transactional, and an upgrade that was interrupted is run again from its first
   * statement, so each must be safe to repeat (`ADD COLUMN IF NOT EXISTS`, `DROP VIEW IF EXISTS` …).
   */
  statements: readonly (string | Table)[];
}

export interface Schema {
  tables: readonly Table[];
  /** In order, from version 1 without gaps. */
  upgrades: readonly Upgrade[];
}

export const SCHEMA: Schema = {
  tables: [
    ...RECORDS,
    CONSOLE_SESSIONS,
    SHARED_VIEWS,
    ANNOTATIONS,
    FRONTIERS,
    OPERATOR_TOKENS,
    MESSAGES,
    MESSAGE_ATTEMPTS,
    EVENTS,
    ...ROLL_UPS,
    LEDGER,
    LEDGER_DAYS,
    LEDGER_QUARTERS,
    LEDGER_TOTALS,
    CAUSED_VIEWS,
    SETTLED_DAYS,
    MATERIALISED_HOURS,
    MATERIALISED_FIRST_VIEWS,
    MATERIALISED_DAYS,
  ],
  // None: version 1 is that of the first release.
  upgrades: [],
};

/** Of a database that is created as a schema is declared. */
export const versionOf = ({ upgrades }: Schema): number => upgrades.at(-1)?.to ?? 1;

/** Version of the schema that this program writes. */
export const VERSION: number = versionOf(SCHEMA);
