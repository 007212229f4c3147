// Secrets that were replaced and still open for a while, so that their users have time to take the new ones.
import type { Migration } from './migration.ts';

const retiring = `
ALTER TABLE sites ADD COLUMN IF NOT EXISTS
  retiring Array(Tuple(kind Enum8('read' = 1, 'write' = 2), hash String, until UInt64)) AFTER write_secret_hash`;

export const retiringSecrets: Migration = {
  version: 5,
  name: 'secrets that are replaced with an overlap',
  statements: [retiring],
};
