// The operator's token as commands make, replace and revoke it.
import { Hono } from 'hono';
import type { Deps } from '../../context.ts';
import { createReadSecret, hashSecret } from '../../sites/secrets.ts';
import { CommandError } from '../commandError.ts';

/** A fresh token, in clear for the only time. */
export interface MadeToken {
  token: string;
  /** It took the place of another, which opens nothing any more. */
  replaced: boolean;
}

export interface TokenInfo {
  /** ISO 8601, UTC; null: there is none. */
  created: string | null;
}

export function operatorAdmin({ now, store: { operatorTokens } }: Pick<Deps, 'now' | 'store'>): Hono {
  const admin = new Hono();

  admin.get('/operator/token', async (c) => {
    const valid = await operatorTokens.find();
    return c.json({ created: valid ? toDate(valid.createdAt) : null } satisfies TokenInfo);
  });

  admin.post('/operator/token', async (c) => {
    const before = await operatorTokens.find();
    const token = createReadSecret();
    await operatorTokens.replace(hashSecret(token), now());
    return c.json({ token, replaced: before !== undefined } satisfies MadeToken);
  });

  admin.delete('/operator/token', async (c) => {
    const ended = await operatorTokens.revoke(now());
    if (ended === undefined)
      throw new CommandError('There is no operator’s token. This makes one: afterword operator token');
    return c.json({ created: toDate(ended.createdAt) } satisfies TokenInfo);
  });

  return admin;
}

const toDate = (time: number) => new Date(time).toISOString();
