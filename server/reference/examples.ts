// An example of each operation as a line for a terminal: it works once the reader's own Site ID and secrets stand in
// it.
import type { Operation } from './openapi.ts';

/** What stands for the reader's own in every example. */
export const SITE = 'example.com';
export const SECRET = 'SECRET';
export const WRITE_SECRET = 'WRITESECRET';

const ARTICLE = `https://${SITE}/an-article`;

/** Values by the name of their parameter, where the schema lists none. */
const VALUES: Record<string, string> = {
  apikey: SITE,
  idsite: SITE,
  secret: SECRET,
  url: ARTICLE,
  value: 'Ada Lovelace',
  uuid: 'reader-1',
  q: 'harbour',
  action: 'pageview',
  partner: 'acme',
};

interface Described {
  /** With the origin. */
  path: string;
  method: string;
  operation: Operation;
}

/** A command that asks it, with everything it cannot do without. */
export function exampleOf({ path, method, operation }: Described): string {
  const { security, parameters, 'x-body': body } = operation;
  const [guard = {}] = security;
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const values = parameters.find((parameter) => parameter.name === name)?.schema.enum;
    return encodeURIComponent(Array.isArray(values) ? String(values[0]) : (VALUES[name] ?? name));
  });
  const asked = parameters.filter(({ required, in: place }) => required && place === 'query');
  const names = [...Object.keys(guard).map((name) => (name === 'site' ? 'apikey' : name)), ...asked.map(named)];
  const query = names.map((name) => `${name}=${encodeURIComponent(VALUES[name] ?? name)}`).join('&');
  const verb = method === 'get' || body !== undefined ? '' : `-X ${method.toUpperCase()} `;
  const data = body === undefined ? '' : ` -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  return `curl ${verb}'${address}${query && `?${query}`}'${data}`;
}

const named = ({ name }: { name: string }): string => name;
