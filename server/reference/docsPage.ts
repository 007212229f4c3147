// The reference as a page: one file, no script, nothing loaded from anywhere, readable offline.
import { createHash } from 'node:crypto';
import type { OpenApi, Operation, Parameter } from './openapi.ts';

const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); --soft: color-mix(in srgb, currentColor 62%, transparent); }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 6rem; }
h1 { font-size: 2rem; margin: 0 0 .5rem; } h2 { margin: 3.5rem 0 1rem; text-transform: capitalize; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 2.25rem 0 .25rem; overflow-wrap: anywhere; } h3 small { color: var(--soft); font-weight: 600; margin-inline-end: .5ch; }
code, pre { font: .9em/1.5 ui-monospace, monospace; } pre { overflow-x: auto; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; }
nav { columns: 16rem; } nav a { display: block; overflow-wrap: anywhere; color: inherit; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; min-width: 38rem; table-layout: fixed; } th:first-child { width: 24%; } td { overflow-wrap: anywhere; } td, th { text-align: start; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); }
.guard { color: var(--soft); margin: 0 0 .5rem; }`;

/** For a Content-Security-Policy that allows this style and nothing else. */
export const DOCS_CSP = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export function toDocsPage(document: OpenApi): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))];
  const origin = document.servers[0]?.url ?? '';
  const sections = tags.map((tag) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(tag));
    return `<section><h2>${toText(tag)}</h2>${own.map((one) => toSection(one, origin)).join('')}</section>`;
  });
  const index = operations.map((one) => `<a href="#${idOf(one)}"><code>${toText(one.path)}</code></a>`);
  const { title, description } = document.info;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${toText(title)}: reference</title><style>${STYLE}</style></head>
<body><main><h1>${toText(title)}</h1><p>${toText(description)} The same as a document for machines: <a href="/openapi.json">openapi.json</a>.</p>
<nav aria-label="Endpoints">${index.join('')}</nav>${sections.join('')}</main></body></html>`;
}

interface Described {
  path: string;
  method: string;
  operation: Operation;
}

const idOf = ({ path, method }: Described): string => toText(`${method}${path}`.replace(/\W+/g, '-'));

function toSection({ path, method, operation }: Described, origin: string): string {
  const { summary, parameters, deprecated } = operation;
  const rows = parameters.map(toRow).join('');
  const table = `<div class="scroll"><table><thead><tr><th>Parameter</th><th>Accepts</th><th>Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`;
  return `<article><h3 id="${idOf({ path, method, operation })}"><small>${method.toUpperCase()}</small><code>${toText(path)}</code></h3>
<p>${toText(summary)}${deprecated ? ' <strong>Deprecated.</strong>' : ''}</p><p class="guard">${guardOf(operation)}</p>${rows && table}
<pre>${toText(exampleOf({ path: origin + path, method, operation }))}</pre></article>`;
}

function toRow({ name, required, description, schema }: Parameter): string {
  return `<tr><td><code>${toText(name)}</code>${required ? ' *' : ''}</td><td>${toText(accepts(schema))}</td><td>${toText(description)}</td></tr>`;
}

function accepts({ type, format, enum: values, minimum, maximum, default: fallback }: Record<string, unknown>): string {
  const range =
    minimum !== undefined && maximum !== undefined
      ? `${type} from ${minimum} to ${maximum}`
      : String(format ?? type ?? '');
  const kind = Array.isArray(values) ? values.join(', ') : range;
  const hasDefault = fallback !== undefined && !(Array.isArray(fallback) && fallback.length === 0);
  return hasDefault ? `${kind}; default ${fallback}` : kind;
}

function guardOf({ security }: Operation): string {
  const [first = {}] = security;
  if ('secret' in first) return 'Needs <code>apikey</code> and <code>secret</code>.';
  return 'site' in first ? 'Public: needs <code>apikey</code>.' : '';
}

function exampleOf({ path, method, operation }: Described): string {
  const [first = {}] = operation.security;
  const asked = operation.parameters.filter(({ required, in: place }) => required && place === 'query');
  const query = [
    ...Object.keys(first).map((name) => (name === 'site' ? 'apikey=example.com' : 'secret=SECRET')),
    ...asked.map(({ name }) => `${name}=…`),
  ];
  return `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}'${path}${query.length > 0 ? `?${query.join('&')}` : ''}'`;
}

function toText(text: string): string {
  const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => named[character] ?? character);
}
