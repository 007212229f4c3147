// Partners as commands make, list and remove them.
import { Hono } from 'hono';
import { z } from 'zod';
import type { Deps } from '../../context.ts';
import { createKeyedQueue } from '../../keyedQueue.ts';
import { type Partner, parsePartnerName } from '../../sites/partner.ts';
import { createReadSecret, hashSecret } from '../../sites/secrets.ts';
import { CommandError } from '../commandError.ts';

const newPartner = z.object({ partner: z.string() });

/** What is shown of a partner: everything but its hash. */
export interface PartnerInfo {
  partner: string;
  /** ISO 8601, UTC. */
  created: string;
}

/** A fresh secret, in clear for the only time. */
export interface PartnerSecret {
  partner: string;
  secret: string;
}

export function partnerAdmin({ now, partners }: Pick<Deps, 'now' | 'partners'>): Hono {
  const admin = new Hono();
  /** Changes of a partner one after another: a secret that was printed is the one that opens. */
  const queue = createKeyedQueue();

  admin.get('/partners', (c) => c.json(partners.list().map(toInfo)));

  admin.post('/partners', async (c) => {
    const { partner: text } = newPartner.parse(await c.req.json());
    const name = parsePartnerName(text);
    if (name === undefined)
      throw new CommandError(`A partner's name is made of letters, digits and hyphens; "${text}" is not.`, 2);
    const secret = createReadSecret();
    await queue.run(name, async () => {
      if (partners.find(name) !== undefined) throw new CommandError(`There is a partner ${name} already.`);
      await partners.add({ name, secretHash: hashSecret(secret), createdAt: now() });
    });
    return c.json({ partner: name, secret } satisfies PartnerSecret);
  });

  function requirePartner(name: string): Partner {
    const found = partners.find(name);
    if (found !== undefined) return found;
    throw new CommandError(`There is no partner ${name}. Those there are: afterword partner list`);
  }

  admin.get('/partners/:name', (c) => c.json(toInfo(requirePartner(c.req.param('name')))));

  // The old secret opens nothing from now on; the sites it made stay the partner's.
  admin.post('/partners/:name/secret', async (c) => {
    const { name } = requirePartner(c.req.param('name'));
    const secret = createReadSecret();
    await queue.run(name, () => partners.add({ ...requirePartner(name), secretHash: hashSecret(secret) }));
    return c.json({ partner: name, secret } satisfies PartnerSecret);
  });

  admin.delete('/partners/:name', async (c) => {
    const found = requirePartner(c.req.param('name'));
    await queue.run(found.name, () => partners.remove(requirePartner(found.name)));
    return c.json(toInfo(found));
  });

  return admin;
}

const toInfo = ({ name, createdAt }: Partner): PartnerInfo => ({
  partner: name,
  created: new Date(createdAt).toISOString(),
});
