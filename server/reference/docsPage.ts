// The reference as a page: one self-contained file without scripts, readable offline.
import { createHash } from 'node:crypto';
import { escapeHtml } from '../http/escapeHtml.ts';
import { DOCS_STYLE } from './docsStyle.ts';
import { exampleOf, SECRET, SITE, WRITE_SECRET } from './examples.ts';
import type { OpenApi, Operation, Parameter } from './openapi.ts';

/** For a Content-Security-Policy that allows only this style. */
export const DOCS_CSP = `default-src 'none'; img-src data:; style-src 'sha256-${createHash('sha256').update(DOCS_STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

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
<nav aria-label="Endpoints"><section><h2>start</h2><a href="#conventions">Conventions</a></section>${index.join('')}<section><h2>records</h2>${Object.keys(
    document.components.schemas,
  )
    .map((name) => `<a href="#record-${escapeHtml(name)}">${escapeHtml(name)}</a>`)
    .join('')}</section></nav>
<main>${CONVENTIONS}${sections.join('')}<section><h2>records</h2>${records.join('')}</section></main></div></body></html>`;
}

/** Rules common to all operations, stated once. */
const CONVENTIONS = `<section><h2 id="conventions">conventions</h2><article><dl>
<dt>Examples</dt><dd>Put your Site ID in place of <code>${SITE}</code>, and your secrets in place of <code>${SECRET}</code> and <code>${WRITE_SECRET}</code>.</dd>
<dt>Parameters</dt><dd>An asterisk marks what is required. Empty values and unknown names are ignored. Of a parameter that takes one value, the last one counts.</dd>
<dt>Secrets</dt><dd>As <code>secret</code>, or in a header, <code>Authorization: Bearer ${SECRET}</code>: links of the answer then carry none.</dd>
<dt>Dates and times</dt><dd><code>2026-01-31</code>: a day in the site’s time zone, and as an end the last moment of it. <code>2026-01-31T09:30</code>, with seconds or without: a time in that zone, unless an offset follows, <code>Z</code>, <code>+02</code> or <code>+02:00</code>; as an end it is left out itself, so that windows add up. <code>15m</code>, <code>24h</code>, <code>3d</code>, <code>2w</code>: so long before now.</dd>
<dt>Names</dt><dd>Authors, sections and tags match in their own case.</dd>
<dt>Pages</dt><dd><code>limit</code> and <code>page</code> reach 2000 records, where the last page is cut; <code>links.next</code> is null on the last page. It pins a period that hangs on now, so that pages do not overlap under traffic.</dd>
<dt>Errors</dt><dd>A body with <code>success: false</code> and a code. 403: no such site, or not its secret. 404: no such path. 405: not with this method; <code>Allow</code> names those the path takes. 422: <code>errors</code> names each wrong parameter, and what it takes. 429: too much at once; <code>Retry-After</code> says when again. 500 and 503 are faults of the server, and have that HTTP status.</dd>
<dt>From a browser</dt><dd>CORS is open, without credentials; <code>callback</code> answers a script (JSON-P).</dd>
</dl></article></section>`;

function toIndex(tag: string, operations: Described[]): string {
  const links = operations.map((one) => `<a href="#${idOf(one)}"><code>${escapeHtml(labelOf(one))}</code></a>`);
  return `<section><h2>${escapeHtml(tag)}</h2>${links.join('')}</section>`;
}

/** The description without the part common to all operations. */
const labelOf = ({ path, method }: Described) =>
  `${method === 'get' ? '' : `${method.toUpperCase()} `}${path.replace(/^\/v2/, '')}`;

interface RecordSchema {
  properties?: Record<string, FieldSchema>;
  required?: string[];
}

type FieldSchema = Record<string, unknown> &
  RecordSchema & { description?: string; items?: FieldSchema; anyOf?: FieldSchema[] };

function toRecord(name: string, { properties = {}, required = [] }: RecordSchema): string {
  return `<article><h3 id="record-${escapeHtml(name)}">${escapeHtml(name)}</h3>${toTable('Field', toFields({ properties, required }))}</article>`;
}

/** A row for each field, and for nested fields under their full names. */
function toFields({ properties = {}, required = [] }: RecordSchema, within = ''): string {
  const rows = Object.entries(properties).map(([field, { description = '', ...schema }]) => {
    const name = within + field;
    const row = toRow({ name, in: 'query', required: required.includes(field), description, schema });
    const inner = schema.items?.properties ? { of: schema.items, as: `${name}[].` } : { of: schema, as: `${name}.` };
    return row + toFields(inner.of, inner.as);
  });
  return rows.join('');
}

const toTable = (heading: string, rows: string, plural = `${heading}s`) =>
  `<div class="scroll" tabindex="0" role="group" aria-label="${plural}"><table><thead><tr><th>${heading}</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`;

interface Described {
  path: string;
  method: string;
  operation: Operation;
}

const idOf = ({ path, method }: Described): string => escapeHtml(`${method}${path}`.replace(/\W+/g, '-'));

function toSection({ path, method, operation }: Described, origin: string): string {
  const { summary, parameters, deprecated, requestBody } = operation;
  const body =
    requestBody &&
    toTable('Field of the body', toFields(requestBody.content['application/json'].schema), 'Fields of the body');
  const rows = parameters.map(toRow).join('');
  const example = operation['x-signed']
    ? ''
    : `<pre>${escapeHtml(exampleOf({ path: origin + path, method, operation }))}</pre>`;
  return `<article><h3 id="${idOf({ path, method, operation })}"><small>${method.toUpperCase()}</small><code>${escapeHtml(path)}</code></h3>
<p>${withCode(summary)}${deprecated ? ' <strong>Deprecated.</strong>' : ''}</p><p class="guard">${guardOf(operation)}</p>${recordOf(operation)}${rows && toTable('Parameter', rows)}${body ?? ''}
${example}</article>`;
}

/** Text with code in backquotes. */
const withCode = (text: string): string => escapeHtml(text).replace(/`([^`]*)`/g, '<code>$1</code>');

function toRow({ name, required, description, schema }: Parameter): string {
  return `<tr><td><code>${escapeHtml(name)}</code>${required ? ' *' : ''}</td><td>${escapeHtml(accepts(schema))}</td><td>${withCode(description)}</td></tr>`;
}

function accepts({
  type,
  format,
  enum: values,
  minimum,
  maximum,
  items,
  anyOf,
  default: fallback,
}: FieldSchema): string {
  if (anyOf) return anyOf.map(accepts).join(' or ');
  if (type === 'array') return items?.enum ? accepts(items) : `list of ${accepts(items ?? {}) || 'value'}s`;
  const most = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? '' : ` to ${maximum}`;
  const range = minimum === undefined ? String(format ?? type ?? '') : `${type} from ${minimum}${most}`;
  const kind = Array.isArray(values) ? values.join(', ') : range;
  const hasDefault = fallback !== undefined && !(Array.isArray(fallback) && fallback.length === 0);
  return hasDefault ? `${kind}; default ${fallback}` : kind;
}

function recordOf({ 'x-record': record }: Operation): string {
  return record === undefined
    ? ''
    : `<p class="guard">Answers with <a href="#record-${record}">${record}</a> records.</p>`;
}

function guardOf({ security, 'x-guard': guard }: Operation): string {
  if (guard !== undefined) return escapeHtml(guard);
  const [first = {}] = security;
  if ('secret' in first) return 'Needs <code>apikey</code> and <code>secret</code>.';
  return 'site' in first ? 'Public: needs <code>apikey</code>.' : 'Public.';
}
