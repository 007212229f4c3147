// An example of each operation as a shell command. It works after the placeholders are replaced by a Site ID and its
// secrets.
import type { Operation } from './openapi.ts';

/** Placeholders for the reader's own values in every example. */
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
  /** Path with the origin. */
  path: string;
  method: string;
  operation: Operation;
}

/** A command that sends the request, with all required parameters. */
export function exampleOf({ path, method, operation }: Described): string {
  const { security, parameters, requestBody } = operation;
  const body = requestBody?.content['application/json'].example;
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
