// A schema as later releases may have it: two upgrades behind the one of now.
import { SCHEMA, type Schema, VERSION } from '../../server/storage/schema/schema.ts';
import type { Table } from '../../server/storage/schema/table.ts';

const notes: Table = {
  name: 'notes',
  columns: { site: 'LowCardinality(String)', text: 'String' },
  engine: 'ReplacingMergeTree',
  orderBy: ['site', 'text'],
  inserts: 'durable',
};

export const laterSchema: Schema = {
  tables: [...SCHEMA.tables, notes],
  upgrades: [
    ...SCHEMA.upgrades,
    {
      from: VERSION,
      to: VERSION + 1,
      name: 'a colour',
      statements: ["ALTER TABLE posts ADD COLUMN IF NOT EXISTS colour String DEFAULT 'red'"],
    },
    {
      from: VERSION + 1,
      to: VERSION + 2,
      name: 'notes of titles',
      statements: [notes, 'INSERT INTO notes SELECT site, title FROM posts FINAL SETTINGS insert_deduplicate = 0'],
    },
  ],
};
