// A publisher's page and a widget host, two origins on loopback: the host serves the built widget and answers what a test says.

import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IncomingEvent } from '../../server/contract/wire.ts';
import { ensureBuilt } from './build.ts';

const WIDGET = fileURLToPath(new URL('../../dist/widget/', import.meta.url));

export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  body: string;
}

export type Answer = (call: Call, response: ServerResponse) => void | Promise<void>;

export interface Stage {
  /** Origin of the publisher's pages, without a slash at the end. */
  site: string;
  /** Origin of the widget's server. */
  host: string;
  /** Everything the host was asked for, oldest first. */
  calls: Call[];
  /** Events the host was sent, oldest first. */
  events(): IncomingEvent[];
  /** Publishes a page. */
  page(path: string, html: string, headers?: Record<string, string>): string;
  /** Says how the host answers paths that begin like this; the newest rule wins. */
  answer(prefix: string, answer: Answer): void;
  /** Forgets what it was asked, and the answers since it opened: whatever a test before this one left. */
  reset(): void;
  close(): Promise<void>;
}

/** Answers with JSON, or with the call of JSON-P. */
export function json(body: unknown): Answer {
  return ({ query }, response) => {
    const callback = query.get('callback');
    response.setHeader('Content-Type', callback ? 'application/javascript' : 'application/json');
    response.end(callback ? `/**/${callback}(${JSON.stringify(body)});` : JSON.stringify(body));
  };
}

/** As many records as asked for, of posts on the publisher's site. */
export function records(count: number, site: string, change: (index: number) => object = () => ({})): object[] {
  return Array.from({ length: count }, (_, index) => ({
    title: `Post number ${index + 1}, with a title of an ordinary length`,
    url: `${site}/post-${index + 1}`,
    author: 'Ada Writer',
    section: 'Science',
    pub_date: '2026-03-04T05:06:07Z',
    tags: [],
    image_url: '',
    thumb_url_medium: '',
    ...change(index),
  }));
}

/** A page with the script tag in its head. `attributes` go on the tag. */
export function articlePage(stage: Stage, body: string, attributes = ''): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Article</title>` +
    `<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">` +
    `<script src="${stage.host}/afterword.js" data-site="example.com" ${attributes}></script></head>` +
    `<body>${body}</body></html>`
  );
}

export async function openStage(): Promise<Stage> {
  await ensureBuilt();
  const pages = new Map<string, { html: string; headers: Record<string, string> }>();
  const rules: { prefix: string; answer: Answer }[] = [];
  const calls: Call[] = [];
  const widget = readWidget();

  const publisher = createServer((request, response) => {
    const page = pages.get(new URL(request.url!, 'http://localhost').pathname);
    response.writeHead(page ? 200 : 404, { 'Content-Type': 'text/html; charset=utf-8', ...page?.headers });
    response.end(page?.html ?? '<!doctype html><title>None</title>');
  });
  const widgetHost = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    const call: Call = { method: request.method!, path: pathname, query: searchParams, body: await readBody(request) };
    calls.push(call);
    response.setHeader('Access-Control-Allow-Origin', '*');
    const rule = rules.find(({ prefix }) => pathname.startsWith(prefix));
    if (rule) return void rule.answer(call, response);
    // The path of older installations, as the server has it.
    const file = widget.get(pathname.replace(/^\/keys\/[^/]+\//, '/'));
    response.writeHead(file ? 200 : 404, { 'Content-Type': 'text/javascript; charset=utf-8' }).end(file);
  });
  const [sitePort, hostPort] = await Promise.all([listen(publisher), listen(widgetHost)]);
  const stage: Stage = {
    site: `http://127.0.0.1:${sitePort}`,
    host: `http://127.0.0.1:${hostPort}`,
    calls,
    events: () => calls.filter(({ path }) => path === '/events').flatMap(({ body }) => JSON.parse(body).events),
    page(path, html, headers = {}) {
      pages.set(path, { html, headers });
      return stage.site + path;
    },
    answer: (prefix, answer) => void rules.unshift({ prefix, answer }),
    reset() {
      calls.length = 0;
      rules.splice(0, rules.length, ...usual);
    },
    close: async () => {
      await Promise.all([publisher, widgetHost].map(shut));
    },
  };
  stage.answer('/events', json({ success: true }));
  stage.answer('/v2/profile', json({ success: true }));
  for (const path of ['/v2/related', '/v2/top'])
    stage.answer(path, json({ data: records(10, stage.site), success: true }));
  const usual = [...rules];
  return stage;
}

/** The build as it is when the stage opens. */
function readWidget(): Map<string, Buffer> {
  const files = readdirSync(WIDGET, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [`/${relative(WIDGET, path).replaceAll('\\', '/')}`, readFileSync(path)];
    }),
  );
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  return body;
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function shut(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
