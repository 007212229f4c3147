// The public address: whether readers find the server where it says that it is, through the proxy in front; and whether
// what the proxy says of the readers is believed.
import { type Finding, ok, problem, warning } from '../../checkup/finding.ts';
import type { ForwardingCounts } from '../../http/clientAddress.ts';

const ABOUT = 'public address';
const PATIENCE_MS = 5_000;
/** Below this part of all requests, clients that write the header themselves are as likely as a proxy. */
const MANY = 0.5;

/** Asks for what proxies let through: `/readyz` and `/metrics` are for the machines inside. */
export async function examinePublicAddress(serverUrl: string): Promise<Finding> {
  const asked = `${serverUrl}/healthz`;
  try {
    const response = await fetch(asked, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!response.ok)
      return problem(ABOUT, `${asked} answers with status ${response.status}.`, remedyOf(response.status));
    if (isOurs(await response.text())) return ok(ABOUT, `${serverUrl} answers.`);
    return problem(
      ABOUT,
      `${asked} is answered by another program.`,
      'Does the name lead to this machine, and does the proxy pass requests on to this server?',
    );
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { says, remedy } = describe(error);
    return problem(ABOUT, `${serverUrl} cannot be reached from here: ${says}.`, remedy);
  }
}

/** @returns Nothing where there is nothing to be done. */
export function examineForwarding(counts: ForwardingCounts | undefined): Finding[] {
  if (counts === undefined) return [];
  const { trustedProxies, requests, ignored, short } = counts;
  const isMany = (some: number) => some > 0 && some >= requests * MANY;
  if (isMany(ignored))
    return [
      warning(
        'proxy',
        `${ignored} of ${requests} requests came with X-Forwarded-For, and --trusted-proxies is 0: all readers count as one network.`,
        'Start with --trusted-proxies and the number of proxies in front: 1 for one nginx or Caddy.',
      ),
    ];
  if (isMany(short))
    return [
      warning(
        'proxy',
        `${short} of ${requests} requests came with fewer than ${trustedProxies} entries in X-Forwarded-For: the proxy counts as their reader.`,
        'Each of the proxies has to add the address it sees, or --trusted-proxies has to be lower.',
      ),
    ];
  return [];
}

function isOurs(body: string): boolean {
  try {
    return (JSON.parse(body) as { alive?: unknown } | null)?.alive === true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function remedyOf(status: number): string {
  if ([502, 503, 504].includes(status))
    return "The proxy does not reach the server: compare its upstream with the server's --host and --port.";
  if (status === 401 || status === 403) return 'The proxy keeps readers out: it has to let everyone ask.';
  return 'Does the proxy in front pass requests on to this server?';
}

interface Cause {
  says: string;
  remedy: string;
}

const UNKNOWN_AUTHORITY: Cause = {
  says: 'its certificate is of an authority that this machine does not know',
  remedy:
    'Have the proxy send the whole chain (fullchain.pem, not cert.pem). An authority of your own: ' +
    'NODE_EXTRA_CA_CERTS=/path/ca.pem afterword doctor; browsers of readers have to know it too.',
};
const NO_NAME: Cause = {
  says: 'its name is not found',
  remedy: 'Make the DNS record of the name, or correct --public-url.',
};
const NO_ANSWER: Cause = {
  says: `there is no answer within ${PATIENCE_MS / 1000} s`,
  remedy:
    'Is the port open in the firewall? Some networks do not lead back to themselves: then ask from another machine.',
};
const NO_TLS: Cause = {
  says: 'it does not answer with TLS there',
  remedy:
    'Have the proxy serve TLS on this port (listen 443 ssl in nginx), or correct the http or https of --public-url.',
};

/** By the code of what `fetch` failed of. */
const CAUSES: Record<string, Cause> = {
  ECONNREFUSED: {
    says: 'the connection is refused',
    remedy: 'Nothing listens there. Is the proxy up, and is the port of --public-url right?',
  },
  ECONNRESET: { says: 'the connection is closed without an answer', remedy: 'The log of the proxy says why.' },
  UND_ERR_SOCKET: { says: 'the connection is closed without an answer', remedy: 'The log of the proxy says why.' },
  ENOTFOUND: NO_NAME,
  EAI_AGAIN: { says: 'its name cannot be looked up now', remedy: 'Does this machine reach a DNS server?' },
  ETIMEDOUT: NO_ANSWER,
  EHOSTUNREACH: NO_ANSWER,
  ENETUNREACH: NO_ANSWER,
  UND_ERR_CONNECT_TIMEOUT: NO_ANSWER,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: { says: 'its certificate has expired', remedy: 'Renew it, and have the proxy load it again.' },
  CERT_NOT_YET_VALID: { says: 'its certificate is not valid yet', remedy: "Is this machine's clock right?" },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    says: 'its certificate is for other names',
    remedy: 'Get a certificate for the name of --public-url, and have the proxy use it for this name.',
  },
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  EPROTO: NO_TLS,
};

/** `fetch` says "fetch failed"; why is in the cause. */
function describe(error: Error): Cause {
  if (error.name === 'TimeoutError') return NO_ANSWER;
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in cause ? String(cause.code) : '';
  return CAUSES[code] ?? { says: [cause.message, code].filter(Boolean).join(', '), remedy: 'Is --public-url right?' };
}
