// The OpenAPI document, generated from the routes: every endpoint provides the schema that validates its requests.
import type { Route } from '../http/endpoint.ts';
import { type Guard, ofPreviewedSite, signed } from '../http/guards.ts';
import { toJsonSchema } from '../http/jsonSchema.ts';
import { isList } from '../http/params.ts';
import { envelopeOf, errorSchema, RECORDS } from './recordSchemas.ts';

export interface Operation {
  summary: string;
  tags: string[];
  deprecated?: boolean;
  /** Name of the records of its list, in `components.schemas`. */
  'x-record'?: string;
  security: Guard['security'];
  parameters: Parameter[];
  requestBody?: { required: true; content: { 'application/json': { schema: object; example: object } } };
  /** Description of the guard, where `security` does not express it. */
  'x-guard'?: string;
  /** Only the server can make its URLs, so it has no example. */
  'x-signed'?: boolean;
  responses: Record<string, object>;
}

export interface Parameter {
  name: string;
  in: 'query' | 'path';
  required: boolean;
  description: string;
  schema: Record<string, unknown>;
}

export interface OpenApi {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; securitySchemes: object };
}

/** @param routes All routes. */
export function toOpenApi(routes: readonly Route[]): OpenApi {
  const paths: OpenApi['paths'] = {};
  for (const route of routes.filter(({ endpoint }) => !endpoint.unlisted)) {
    const path = toPath(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Afterword',
      version: '2',
      description:
        'Analytics, public lists and recommendations for the content of a site. A normal error travels with HTTP status 200 and says so in its body.',
    },
    servers: [],
    paths,
    components: {
      schemas: {
        ...Object.fromEntries(Object.entries(RECORDS).map(([name, schema]) => [name, toJsonSchema(schema)])),
        Error: toJsonSchema(errorSchema),
      },
      securitySchemes: {
        site: { type: 'apiKey', in: 'query', name: 'apikey', description: 'Site ID.' },
        secret: { type: 'apiKey', in: 'query', name: 'secret', description: 'Of the site, or of a partner.' },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The same secret in a header: links of the answer then carry none.',
        },
      },
    },
  };
}

const ERROR = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds until the next one is admitted.', schema: { type: 'integer' } },
};
const FAULTS = {
  500: { description: 'A fault of the server.', content: ERROR },
  503: {
    description: 'Overloaded or stopping, or the database is away or its disk is full.',
    headers: RETRY_AFTER,
    content: ERROR,
  },
};
const TEXT = { schema: { type: 'string' } };

function toOperation(route: Route): Operation {
  const { method, path, guard, endpoint } = route;
  const { body, answers } = endpoint;
  const parameters = parametersOf({ path, guard, endpoint });
  const isScript = method === 'GET' && answers === undefined && (path.startsWith('/v2/') || endpoint.script === true);
  return {
    summary: endpoint.summary,
    tags: [endpoint.tag ?? path.split('/')[2] ?? ''],
    ...(endpoint.deprecated && { deprecated: true }),
    ...(endpoint.record && { 'x-record': endpoint.record }),
    security: guard.security,
    parameters: isScript ? [...parameters, CALLBACK] : parameters,
    ...(guard.says && { 'x-guard': guard.says }),
    ...(guard === signed && { 'x-signed': true }),
    ...(typeof body === 'object' && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: toJsonSchema(body.schema, 'input'), example: body.example } },
      },
    }),
    responses: responsesOf(route, isScript),
  };
}

function responsesOf(route: Route, isScript: boolean): Operation['responses'] {
  const { guard, endpoint } = route;
  const { answers, record, statuses = {}, redirects } = endpoint;
  const further = Object.fromEntries(
    Object.entries(statuses).map(([status, says]) => [status, toResponse(route, Number(status), says)]),
  );
  if (redirects) return { ...further, ...FAULTS };
  if (answers === undefined)
    return { 200: toAnswer(toJsonSchema(envelopeOf(record)), isScript), ...further, ...FAULTS };
  const media = { [answers]: answers.startsWith('text/') ? TEXT : {} };
  // Such a page has the errors of the interface in place of itself.
  const content = guard === ofPreviewedSite ? { ...media, ...ERROR } : media;
  return { 200: { description: 'The answer.', content }, ...further, ...FAULTS };
}

/** An answer with a status of its own: an error, a redirect, or nothing new. */
function toResponse({ path, endpoint }: Route, status: number, description: string): object {
  const location = { Location: { description: 'Where it is.', schema: { type: 'string' } } };
  if (status < 400) return { description, ...(status !== 304 && { headers: location }) };
  // What stands in a frame is read by people.
  const isPage = endpoint.answers === 'text/html' && !path.startsWith('/v2/');
  return {
    description,
    ...(status === 429 && { headers: RETRY_AFTER }),
    content: isPage ? { 'text/html': TEXT } : ERROR,
  };
}

const CALLBACK: Parameter = {
  name: 'callback',
  in: 'query',
  required: false,
  description: 'Wraps the answer (JSON-P).',
  schema: { type: 'string' },
};

/** The parameters of the path in their order, then those of the guard, then those of the endpoint. */
function parametersOf({ path, guard, endpoint }: Pick<Route, 'path' | 'guard' | 'endpoint'>): Parameter[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const { properties = {}, required = [] } = toJsonSchema(endpoint.params, 'input');
  const described = new Map<string, Parameter>();
  for (const [name, description] of Object.entries(guard.parameters ?? {}))
    described.set(name, { name, in: 'query', required: true, description, schema: { type: 'string' } });
  for (const [name, type] of Object.entries(endpoint.params.shape)) {
    const { description = '', ...schema } = properties[name] ?? {};
    const repeated = isList(type) ? { ...schema, type: 'array' } : schema;
    described.set(name, { name, in: 'query', required: required.includes(name), description, schema: repeated });
  }
  const parts = inPath.flatMap((name): Parameter[] => {
    const found = described.get(name);
    return found ? [{ ...found, in: 'path', required: true }] : [];
  });
  return [...parts, ...[...described.values()].filter(({ name }) => !inPath.includes(name))];
}

function toAnswer(schema: object, isScript: boolean): object {
  const answer = { oneOf: [schema, { $ref: '#/components/schemas/Error' }] };
  return {
    description: 'The answer, or what was wrong with the question.',
    headers: { 'Retry-After': { ...RETRY_AFTER['Retry-After'], description: 'With code 429: seconds to wait.' } },
    content: {
      'application/json': { schema: answer },
      ...(isScript && { 'application/javascript': TEXT }),
    },
  };
}

/** `/v2/referrers/:type` → `/v2/referrers/{type}`. */
export const toPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}');
