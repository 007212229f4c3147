// The console as it was built, on a port of its own, in front of an application whose clock a test turns.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createListener } from '../../server/app.ts';
import type { Deps } from '../../server/context.ts';
import { ensureBuilt, root } from '../support/build.ts';

/** `url` is that of the console's first page. */
export async function serveConsole(deps: Deps): Promise<{ url: string; close(): void }> {
  await ensureBuilt();
  const settings = { ...deps.settings, widgetDir: join(root, 'dist/widget') };
  const server = createServer(createListener({ ...deps, settings }));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/console/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
