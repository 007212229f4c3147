// One step of the schema's history. Forward only: a step that has been released is never edited, a new one is added.

export interface Migration {
  /** Position in the history: 1, 2, 3 … without gaps. */
  version: number;
  /** What it does, a few words for the log. */
  name: string;
  /**
   * SQL statements, run in this order. DDL is not transactional, and a step that failed half-way is run again from its
   * first statement, so each must be safe to repeat (`IF NOT EXISTS`, `ADD COLUMN IF NOT EXISTS` …).
   */
  statements: readonly string[];
}
