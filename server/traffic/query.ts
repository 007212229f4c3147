// A question about traffic is a value; compiling it to SQL and running it are other files' work.

/** SQL with named, typed placeholders (`{name:Type}`) and their values; nothing is ever pasted into the text. */
export interface TrafficQuery {
  sql: string;
  params: Record<string, unknown>;
}

export type TrafficRow = Record<string, unknown>;
