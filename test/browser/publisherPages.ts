// Pages of a publisher's for the preview: one of theirs, a hostile one, and stories.
import { createServer, type Server } from 'node:http';

/** Styled by a sheet beside it; its list stands after the longer article. */
const OWN_PAGE =
  '<!doctype html><html lang="en"><head><title>Own</title><link rel="stylesheet" href="site.css">' +
  '<script src="/beacon-script"></script></head><body><article><h1>Of bread</h1><p>Dough.</p></article><footer>End</footer></body>';

/** Each part would send a beacon, or leave. */
const HOSTILE_PAGE =
  '<!doctype html><meta http-equiv="refresh" content="0;url=/beacon-refresh"><title>Hostile</title>' +
  '<script>fetch("/beacon-fetch")</script><img src="data:x" onerror="fetch(\'/beacon-handler\')">' +
  // What one parser takes for a comment, the other for a script.
  '<!--><script>fetch("/beacon-differently-parsed")</script>-->' +
  '<svg onload="fetch(\'/beacon-svg\')"></svg><iframe src="/beacon-frame"></iframe><object data="/beacon-object"></object>' +
  '<form action="/beacon-form" autofocus><button>Send</button></form><link rel="prefetch" href="/beacon-link">' +
  '<a href="javascript:fetch(\'/beacon-link\')">A</a><article><p>Words</p></article>';

/** Serves them on a free port of this machine. @param beacons Takes the path of each request that a page must not send. */
export async function openPublisher(beacons: string[]): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url === '/site.css')
      return void response.setHeader('Content-Type', 'text/css').end('body { font: 21px Georgia, serif }');
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    if (request.url === '/own') return void response.end(OWN_PAGE);
    // Hidden: the browser need not lay it out.
    if (request.url === '/hostile') return void response.end(`${HOSTILE_PAGE}<p hidden>${'More '.repeat(900_000)}`);
    if (request.url?.startsWith('/beacon')) beacons.push(request.url);
    response.setHeader('Content-Security-Policy', "script-src 'self'");
    response.end('<!doctype html><title>A story</title><p>Once.</p>');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}
