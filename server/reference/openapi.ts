// The OpenAPI document, made from the routes themselves: every endpoint brings the schema it validates with.
import type { Hono } from 'hono';
import { z } from 'zod';
import { type Endpoint, endpointOf } from '../http/endpoint.ts';
import { isList } from '../http/params.ts';
import { CALLBACK_MEANING, OTHER_OPERATIONS, type OtherOperation } from './otherOperations.ts';
import { envelopeOf, errorSchema, RECORDS } from './recordSchemas.ts';

export interface Operation {
  summary: string;
  tags: string[];
  deprecated?: boolean;
  /** Name of the records of its list, in `components.schemas`. */
  'x-record'?: string;
  security: Record<string, never[]>[];
  parameters: Parameter[];
  requestBody?: { required: true; content: { 'application/json': { schema: object } } };
  /** Who may ask, where `security` does not say it. */
  'x-guard'?: string;
  /** Only the server can make its addresses: it has no example. */
  'x-signed'?: boolean;
  /** A body that fits, for the example. */
  'x-body'?: object;
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

/** Routes of the interface that no document describes: for the test that there are none. */
export function undescribedRoutes(app: Hono): string[] {
  return routesOf(app).flatMap(({ name, endpoint, other }) => (endpoint || other ? [] : [name]));
}

export function toOpenApi(app: Hono): OpenApi {
  const paths: OpenApi['paths'] = {};
  for (const { method, path, endpoint, other } of routesOf(app)) {
    const operation = endpoint ? toOperation(endpoint, path) : other && toOtherOperation(other, path);
    if (operation) paths[toPath(path)] = { ...paths[toPath(path)], [method.toLowerCase()]: operation };
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
        ...Object.fromEntries(Object.entries(RECORDS).map(([name, schema]) => [name, toSchema(schema)])),
        Error: toSchema(errorSchema),
      },
      securitySchemes: {
        site: { type: 'apiKey', in: 'query', name: 'apikey', description: 'Site ID.' },
        secret: { type: 'apiKey', in: 'query', name: 'secret', description: 'The site’s secret.' },
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
const FAULTS = {
  500: { description: 'A fault of the server.', content: ERROR },
  503: { description: 'Overloaded or stopping.', content: ERROR },
};

interface Route {
  method: string;
  path: string;
  name: string;
  endpoint: Endpoint | undefined;
  other: OtherOperation | undefined;
}

/** Every route that answers, without the guards and layers before it, files, and answers to pre-flights. */
function routesOf(app: Hono): Route[] {
  const routes = new Map<string, Route>();
  for (const { method, path, handler } of app.routes) {
    if (method === 'ALL' || method === 'OPTIONS' || /\.\w+$/.test(path)) continue;
    const name = `${method} ${path.replace(/(?<=.)\/$/, '')}`;
    const known = routes.get(name);
    // A guard stands in front of its endpoint under the same path.
    routes.set(name, {
      method,
      path,
      name,
      endpoint: endpointOf(handler) ?? known?.endpoint,
      other: OTHER_OPERATIONS[name],
    });
  }
  return [...routes.values()];
}

function toOperation(endpoint: Endpoint, path: string): Operation {
  const inPath = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name));
  const { properties = {}, required = [] } = toSchema(endpoint.params, 'input') as JsonObject;
  const parameters = Object.entries(endpoint.params.shape).map(([name, type]): Parameter => {
    const { description = '', ...schema } = properties[name] ?? {};
    const repeated = isList(type) ? { ...schema, type: 'array' } : schema;
    const isInPath = inPath.has(name);
    return {
      name,
      in: isInPath ? 'path' : 'query',
      required: isInPath || required.includes(name),
      description,
      schema: repeated,
    };
  });
  const callback = {
    name: 'callback',
    in: 'query',
    required: false,
    description: CALLBACK_MEANING,
    schema: { type: 'string' },
  } as const;
  return {
    summary: endpoint.summary,
    tags: [path.split('/')[2] ?? ''],
    ...(endpoint.deprecated && { deprecated: true }),
    ...(endpoint.record && { 'x-record': endpoint.record }),
    security:
      endpoint.guard === 'secret'
        ? [
            { site: [], secret: [] },
            { site: [], bearer: [] },
          ]
        : [{ site: [] }],
    parameters: endpoint.answers ? parameters : [...parameters, callback],
    responses: endpoint.answers
      ? toPageResponses(endpoint.answers)
      : toResponses(toSchema(envelopeOf(endpoint.record))),
  };
}

function toOtherOperation(other: OtherOperation, path: string): Operation {
  const { summary, tag, guard, body, example, parameters = {}, required = [], answers, signed } = other;
  const named = Object.entries(parameters).map(
    ([name, description]): Parameter => ({
      name,
      in: 'query',
      required: required.includes(name),
      description,
      schema: { type: 'string' },
    }),
  );
  const inPath = [...path.matchAll(/:(\w+)(?:\{\(\?:([^)]*)\)\})?/g)].map(
    ([, name = '', values]): Parameter => ({
      name,
      in: 'path',
      required: true,
      description: PATH_PARAMETERS[name] ?? '',
      schema: { type: 'string', ...(values && { enum: values.split('|') }) },
    }),
  );
  return {
    summary,
    tags: [tag],
    security: [],
    parameters: [...inPath, ...named],
    ...(guard && { 'x-guard': guard }),
    ...(example && { 'x-body': example }),
    ...(signed && { 'x-signed': true }),
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: answers
      ? { 200: { description: 'Taken.', content: { [answers]: {} } } }
      : toResponses(toSchema(envelopeOf(undefined))),
  };
}

/** What stands in a path of a route without a schema. */
const PATH_PARAMETERS: Record<string, string> = {
  apikey: 'Site ID.',
  partner: 'Name of the partner.',
  kind: 'What is described.',
  signature: 'As in thumb_url_medium of a record: only this server can make it.',
  size: 'Pixels: 160, 320, 480, 640 or 960, others are rounded up; with a ratio, such as 480x1.5. Default ratio: 16:9.',
};

/** What is included in pages says what went wrong with a status of its own. */
function toPageResponses(type: string): Record<string, object> {
  const refused = { description: 'What was wrong with the question.', content: ERROR };
  return {
    200: { description: 'The answer.', content: { [type]: { schema: { type: 'string' } } } },
    403: refused,
    422: refused,
    ...FAULTS,
  };
}

function toResponses(schema: object): Record<string, object> {
  const answer = { oneOf: [schema, { $ref: '#/components/schemas/Error' }] };
  return {
    200: {
      description: 'The answer, or what was wrong with the question.',
      content: { 'application/json': { schema: answer } },
    },
    ...FAULTS,
  };
}

type JsonObject = {
  properties?: Record<string, { description?: string } & Record<string, unknown>>;
  required?: string[];
};

function toSchema(schema: z.ZodType, io: 'input' | 'output' = 'output'): object {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}

/** `/v2/referrers/:type{(?:social|search)}` → `/v2/referrers/{type}`; a name followed by /detail shows it. */
function toPath(path: string): string {
  return path
    .replace(/:value\{[^}]*\}$/, '{value}/detail')
    .replace(/:detail\{[^}]*\}$/, 'detail')
    .replace(/:(\w+)(?:\{[^}]*\})?/g, '{$1}')
    .replace(/(?<=.)\/$/, '');
}
