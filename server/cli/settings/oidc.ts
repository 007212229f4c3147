// Sign-in to the console by OpenID Connect: a JSON file that names the provider, and what its accounts may open.
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { EVERY_SITE, ROLES, toGrants } from '../../console/oidc/grants.ts';
import type { OidcSettings } from '../../console/oidc/provider.ts';
import { parseSiteId } from '../../sites/site.ts';
import { CommandError } from '../commandError.ts';
import { readSecret } from './secretFile.ts';
import { setting } from './setting.ts';

export const consoleSettings = {
  oidc: setting<string | undefined>({
    flag: '--oidc <file>',
    env: 'AFTERWORD_OIDC',
    about: 'JSON file with an OpenID Connect provider whose accounts may sign in to the console',
    accepts: 'a file',
    read: z.string().transform((file) => resolve(file)),
  }),
};

/** Below the folder of the console, wherever a proxy puts it. */
const CALLBACK = '/console/oidc/callback';
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

const text = (most: number, accepts: string) =>
  z
    .string(accepts)
    .min(1, accepts)
    .max(most, accepts)
    .regex(/^\P{Cc}*$/u, accepts);

/** An address where secrets and codes may go. */
const address = (accepts: string) =>
  z
    .url({ protocol: /^https?$/, error: accepts })
    .transform((url) => new URL(url))
    .refine(({ protocol, hostname }) => protocol === 'https:' || LOOPBACK.test(hostname), accepts)
    .refine(({ username, password, search, hash }) => `${username}${password}${search}${hash}` === '', accepts);

const SITE = 'takes a Site ID such as "example.com", or "*" for every site';

const GRANT = z
  .strictObject({
    claim: text(200, 'takes the name of a claim, such as "groups"'),
    value: text(1_000, 'takes the text that the claim has to be, or hold'),
    role: z.enum(ROLES, `takes one of ${ROLES.join(', ')}`),
    site: z
      .string(SITE)
      .refine((id) => id === EVERY_SITE || parseSiteId(id) === id, SITE)
      .optional(),
  })
  .refine(({ role, site }) => role === 'operator' || site !== undefined, { path: ['site'], error: SITE })
  .refine(({ role, site }) => role !== 'operator' || site === undefined, {
    path: ['site'],
    error: 'is not there with the role operator, which is for the server',
  })
  .refine(({ claim, value }) => !value.includes('*@') || (claim === 'email' && /^\*@[^@*\s]+$/.test(value)), {
    path: ['value'],
    error: 'takes "*@" with a domain for the claim "email" alone',
  });

const FILE = z.strictObject(
  {
    issuer: address('takes the https address of the provider; http on this machine alone'),
    client_id: text(500, 'takes the id of this server at the provider'),
    client_secret_file: text(1_000, 'takes the name of a file').optional(),
    name: text(60, 'takes the provider’s name as readers know it').default('OpenID Connect'),
    scope: z
      .string('takes words with "openid" among them')
      .regex(
        /^(?:[\x21\x23-\x5b\x5d-\x7e]+ )*openid(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/,
        'takes words with "openid" among them',
      )
      .default('openid email'),
    redirect_uri: address(`takes an https address that ends with ${CALLBACK}; http on this machine alone`)
      .refine(({ pathname }) => pathname.endsWith(CALLBACK), `takes an address that ends with ${CALLBACK}`)
      .optional(),
    grants: z
      .array(GRANT, 'takes a list')
      .min(1, 'takes a list with a grant at least')
      .max(10_000, 'takes 10,000 grants'),
  },
  'takes a JSON object',
);

/**
 * Reads the file of `--oidc`, and that of the secret which it names.
 * @param warn Given one sentence for a secret that other users may read.
 * @throws {CommandError} Names the field, and says what it takes.
 */
export async function readOidc(
  { oidc: file, publicUrl }: { oidc?: string | undefined; publicUrl?: string | undefined },
  warn: (sentence: string) => void,
): Promise<OidcSettings | undefined> {
  if (file === undefined) return undefined;
  const asked = `--oidc (or AFTERWORD_OIDC) names ${file}`;
  const result = FILE.safeParse(await readJson(file, asked));
  if (!result.success) throw new CommandError(`${asked}: ${result.error.issues.map(toSentence).join('; ')}.`, 2);
  const {
    issuer,
    client_id: clientId,
    client_secret_file: secretFile,
    name,
    scope,
    grants,
    redirect_uri,
  } = result.data;
  const redirectUri = redirect_uri ?? (publicUrl === undefined ? undefined : new URL(CALLBACK, publicUrl));
  if (redirectUri === undefined)
    throw new CommandError(
      `${asked}: the provider sends browsers back to the server's public address: set --public-url (or AFTERWORD_PUBLIC_URL), or redirect_uri in the file.`,
      2,
    );
  const clientSecret =
    secretFile &&
    (await readSecret(resolve(dirname(file), secretFile), { asked: `client_secret_file in ${file}`, warn }));
  const accesses = grants.map(({ site = EVERY_SITE, ...grant }) => ({ ...grant, site }));
  return {
    issuer,
    clientId,
    clientSecret,
    name,
    scope,
    redirectUri,
    grants: toGrants({ issuer: issuer.href, clientId }, accesses),
  };
}

async function readJson(file: string, asked: string): Promise<unknown> {
  const written = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${asked}, which cannot be read (${error.code}).`, 2);
  });
  try {
    return JSON.parse(written);
  } catch {
    // The parser's message repeats what the file has.
    throw new CommandError(`${asked}, which is not JSON.`, 2);
  }
}

function toSentence(issue: z.core.$ZodIssue): string {
  const field = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  const place = field.replace(/^\./, '');
  if (issue.code !== 'unrecognized_keys') return `${place || 'it'} ${issue.message}`;
  return `${place ? `${place} has` : 'it has'} an unknown field: ${issue.keys.join(', ')}`;
}
