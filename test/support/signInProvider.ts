// A real OpenID Connect provider on this machine, where one account at a time is signed in without a question.
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { freePorts } from './ports.ts';

export interface Account {
  sub: string;
  [claim: string]: unknown;
}

export interface SignInProvider {
  issuer: string;
  /** Whose account signs in next; undefined: its owner cancels. */
  account: Account | undefined;
  /** Paths that were asked. */
  asked: string[];
  close(): Promise<void>;
}

export const CLIENT = { client_id: 'afterword', client_secret: 'a-secret-of-the-client-that-nobody-has' };

export interface ProviderOptions {
  redirectUris: readonly string[];
  /** Default: that of an earlier provider is not needed. */
  port?: number;
  /** Claims of scopes are in the ID token, too. Default: true; else they are at the UserInfo endpoint alone. */
  inToken?: boolean;
  /** What the ID token has instead of a claim of the account; undefined: it lacks the claim. */
  token?: Record<string, unknown>;
  /** How the client authenticates. Default: by a header. */
  auth?: 'client_secret_basic' | 'client_secret_post' | 'none';
  /** Its keys are published as they are not. Default: false. */
  wrongKeys?: boolean;
}

/** A key pair with the name of every other. */
function makeKey(): { secret: JsonWebKey; published: JsonWebKey } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const named = { kid: 'of-a-test', use: 'sig', alg: 'RS256' };
  return {
    secret: { ...privateKey.export({ format: 'jwk' }), ...named },
    published: { ...publicKey.export({ format: 'jwk' }), ...named },
  };
}

export async function openProvider(options: ProviderOptions): Promise<SignInProvider> {
  const { redirectUris, inToken = true, token = {}, auth = 'client_secret_basic', wrongKeys = false } = options;
  const port = options.port ?? (await freePorts(1))[0]!;
  const issuer = `http://127.0.0.1:${port}`;
  const secret = auth === 'none' ? {} : { client_secret: CLIENT.client_secret };
  const provider = new Provider(issuer, {
    clients: [
      { client_id: CLIENT.client_id, ...secret, redirect_uris: redirectUris, token_endpoint_auth_method: auth },
    ],
    clientAuthMethods: [auth],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
    conformIdTokenClaims: !inToken,
    cookies: { keys: ['of-a-test'] },
    jwks: { keys: [makeKey().secret] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/interaction' },
    findAccount: (_: unknown, accountId: string) => ({
      accountId,
      claims: (use: string) => ({ ...opened.account, ...(use === 'id_token' && token), sub: accountId }),
    }),
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 60, Interaction: 600, Session: 600 },
  });
  const answer = provider.callback();
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '');
    opened.asked.push(path);
    if (wrongKeys && path === '/jwks')
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ keys: [makeKey().published] }));
    else if (path === '/interaction') void interact(provider, opened.account, request, response);
    else answer(request, response);
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  const opened: SignInProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    account: undefined,
    asked: [],
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return opened;
}

/** Signs the account in and consents, each time. */
async function interact(
  provider: Provider,
  account: Account | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  if (account === undefined) return await provider.interactionFinished(request, response, { error: 'access_denied' });
  const grant = new provider.Grant({ accountId: account.sub, clientId: params.client_id });
  grant.addOIDCScope(params.scope);
  const consent = { grantId: await grant.save() };
  await provider.interactionFinished(request, response, { login: { accountId: account.sub }, consent });
}
