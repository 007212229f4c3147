// The tools that read, made of the routes: every GET of the interface that answers JSON is one, with the parameters of
// its own schema. Lists that differ in nothing but their last word are one tool, so that a client keeps fewer
// descriptions in its context.
import type { Route } from '../http/endpoint.ts';
import { type OpenApi, type Operation, type Parameter, toPath } from '../reference/openapi.ts';
import type { Arguments, Question, ReadTool, ToolInput } from './tool.ts';

/** Name of the argument that takes the last word of the path, where several routes are one tool. */
const WORD = 'of';

interface Described {
  path: string;
  operation: Operation;
  parameters: Parameter[];
}

/**
 * @param routes All routes.
 * @param document Made of the same routes.
 */
export function createReadTools(routes: readonly Route[], document: OpenApi): ReadTool[] {
  const groups = new Map<string, Described[]>();
  for (const each of describe(routes, document)) {
    const key = keyOf(each);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  const names = new Set<string>();
  return [...groups.values()].flatMap(([first, ...others]) => {
    const name = nameOf(parentOf(first!.path));
    // Other lists below one path, with parameters of their own, have that name already.
    if (others.length === 0 || names.has(name)) return [first!, ...others].map(single);
    names.add(name);
    return together([first!, ...others]);
  });
}

function describe(routes: readonly Route[], document: OpenApi): Described[] {
  const offered = routes.filter(
    ({ method, path, endpoint }) =>
      method === 'GET' &&
      path.startsWith('/v2/') &&
      endpoint.answers === undefined &&
      endpoint.tool !== false &&
      endpoint.deprecated !== true,
  );
  // An endpoint may have a second path, for clients that ask there.
  const once = offered.filter(({ endpoint }, at) => offered.findIndex((other) => other.endpoint === endpoint) === at);
  return once.flatMap(({ path }) => {
    const operation = document.paths[toPath(path)]?.get;
    if (operation === undefined) return [];
    return { path, operation, parameters: operation.parameters.filter(({ name }) => name !== 'callback') };
  });
}

/** Equal for routes that are one tool. */
function keyOf({ path, parameters }: Described): string {
  const parent = parentOf(path);
  return parent === '/v2' || path.includes(':') ? path : JSON.stringify([parent, parameters]);
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));
const wordOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** `/v2/referrers/:type/:meta` → `referrers_type_meta`. */
const nameOf = (path: string): string =>
  path
    .split('/')
    .slice(2)
    .map((part) => part.replace(/^:/, ''))
    .join('_');

const single = ({ path, operation, parameters }: Described): ReadTool => ({
  name: nameOf(path),
  description: operation.summary,
  input: toInput(parameters),
  question: (args) => toQuestion(path, args),
});

function together(all: [Described, ...Described[]]): ReadTool {
  const [{ path, parameters }] = all;
  const parent = parentOf(path);
  const says = all.map((each) => `${wordOf(each.path)}: ${each.operation.summary}`).join(' ');
  const word: Parameter = {
    name: WORD,
    in: 'path',
    required: true,
    description: 'Which list.',
    schema: { type: 'string', enum: all.map((each) => wordOf(each.path)) },
  };
  return {
    name: nameOf(parent),
    description: says,
    input: toInput([word, ...parameters]),
    question: ({ [WORD]: of, ...args }) => toQuestion(`${parent}/${of}`, args),
  };
}

/** The parameters as one JSON Schema. Formats that only this interface has become words, which any client accepts. */
export function toInput(parameters: readonly Parameter[]): ToolInput {
  const properties = parameters.map(({ name, description, schema }) => {
    const { format, default: fallback, items, ...rest } = schema;
    const { description: _, ...item } = (items ?? {}) as Record<string, unknown>;
    return [
      name,
      {
        ...rest,
        ...(items !== undefined && { items: item }),
        ...(fallback !== undefined && !Array.isArray(fallback) && { default: fallback }),
        description: format === undefined ? description : `${description} Written as ${format}.`,
      },
    ] as const;
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** Arguments named in the path are put there, the others in the query. */
export function toQuestion(path: string, args: Arguments): Question {
  const placed = new Set<string>();
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    placed.add(name);
    return encodeURIComponent(String(args[name] ?? ''));
  });
  const rest = Object.entries(args).filter(([name]) => !placed.has(name));
  const query = rest.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => [name, String(one)] as const),
  );
  return { method: 'GET', path: filled, query };
}
