// The reference as a page: one file, no script, nothing loaded from anywhere, readable offline.
import { createHash } from 'node:crypto';
import { escapeHtml } from '../http/escapeHtml.ts';
import { DOCS_STYLE } from './docsStyle.ts';
import type { OpenApi, Operation, Parameter } from './openapi.ts';

/** For a Content-Security-Policy that allows this style and nothing else. */
export const DOCS_CSP = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(DOCS_STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export function toDocsPage(document: OpenApi): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))];
  const origin = document.servers[0]?.url ?? '';
  const ofTag = (tag: string) => operations.filter(({ operation }) => operation.tags.includes(tag));
  const sections = tags.map(
    (tag) =>
      `<section><h2>${escapeHtml(tag)}</h2>${ofTag(tag)
        .map((one) => toSection(one, origin))
        .join('')}</section>`,
  );
  const index = tags.map((tag) => toIndex(tag, ofTag(tag)));
  const records = Object.entries(document.components.schemas).map(([name, schema]) => toRecord(name, schema));
  const { title, description } = document.info;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}: reference</title><link rel="icon" href="data:,"><style>${DOCS_STYLE}</style></head>
<body><div class="page"><header><h1>${escapeHtml(title)}: reference</h1><p>${escapeHtml(description)} The same as a document for machines: <a href="/openapi.json">openapi.json</a>. Lists to look at and to paste: <a href="/preview">preview</a>.</p></header>
<nav aria-label="Endpoints">${index.join('')}<section><h2>records</h2>${Object.keys(document.components.schemas)
    .map((name) => `<a href="#record-${escapeHtml(name)}">${escapeHtml(name)}</a>`)
    .join('')}</section></nav>
<main>${sections.join('')}<section><h2>records</h2>${records.join('')}</section></main></div></body></html>`;
}

function toIndex(tag: string, operations: Described[]): string {
  const links = operations.map((one) => `<a href="#${idOf(one)}"><code>${escapeHtml(labelOf(one))}</code></a>`);
  return `<section><h2>${escapeHtml(tag)}</h2>${links.join('')}</section>`;
}

/** Without what all have in common. */
const labelOf = ({ path, method }: Described) =>
  `${method === 'get' ? '' : `${method.toUpperCase()} `}${path.replace(/^\/v2/, '')}`;

interface RecordSchema {
  properties?: Record<string, Record<string, unknown> & { description?: string }>;
  required?: string[];
}

function toRecord(name: string, { properties = {}, required = [] }: RecordSchema): string {
  const rows = Object.entries(properties).map(([field, { description = '', ...schema }]) =>
    toRow({ name: field, in: 'query', required: required.includes(field), description, schema }),
  );
  return `<article><h3 id="record-${escapeHtml(name)}">${escapeHtml(name)}</h3>${toTable('Field', rows.join(''))}</article>`;
}

const toTable = (what: string, rows: string) =>
  `<div class="scroll" tabindex="0" role="group" aria-label="${what}s"><table><thead><tr><th>${what}</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`;

interface Described {
  path: string;
  method: string;
  operation: Operation;
}

const idOf = ({ path, method }: Described): string => escapeHtml(`${method}${path}`.replace(/\W+/g, '-'));

function toSection({ path, method, operation }: Described, origin: string): string {
  const { summary, parameters, deprecated } = operation;
  const rows = parameters.map(toRow).join('');
  return `<article><h3 id="${idOf({ path, method, operation })}"><small>${method.toUpperCase()}</small><code>${escapeHtml(path)}</code></h3>
<p>${escapeHtml(summary)}${deprecated ? ' <strong>Deprecated.</strong>' : ''}</p><p class="guard">${guardOf(operation)}</p>${recordOf(operation)}${rows && toTable('Parameter', rows)}
<pre>${escapeHtml(exampleOf({ path: origin + path, method, operation }))}</pre></article>`;
}

function toRow({ name, required, description, schema }: Parameter): string {
  return `<tr><td><code>${escapeHtml(name)}</code>${required ? ' *' : ''}</td><td>${escapeHtml(accepts(schema))}</td><td>${escapeHtml(description)}</td></tr>`;
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

function recordOf({ 'x-record': record }: Operation): string {
  return record === undefined
    ? ''
    : `<p class="guard">Answers with <a href="#record-${record}">${record}</a> records.</p>`;
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
