// Some routes of the application, with the parts of the server that they need and no others.
import { Hono } from 'hono';
import { ROUTES } from '../../server/app.ts';
import type { Deps } from '../../server/context.ts';
import { answerErrors } from '../../server/http/errors.ts';
import { mount } from '../../server/http/mount.ts';
import { createParts, openLists } from '../../server/parts.ts';
import { silent } from '../storage/scratch.ts';

const SETTINGS: Deps['settings'] = { publicUrl: undefined, trustedProxies: 0, widgetDir: '' };

/**
 * An application with the routes below some paths.
 * @param deps What these routes use; what is missing throws when it is used.
 */
export function openRoutes(deps: Partial<Deps>, ...paths: string[]): Hono {
  const whole = { now: () => 0, log: silent, settings: SETTINGS, ...deps } as Deps;
  const app = new Hono({ strict: false });
  app.onError(answerErrors(silent, () => 0));
  const parts = createParts(whole, openLists(whole), {
    routes: ROUTES,
    request: async (target) => await app.request(target),
    perform: () => Promise.reject(new Error('These routes have no assistant.')),
  });
  return app.route(
    '/',
    mount(
      ROUTES.filter(({ path }) => paths.some((start) => path.startsWith(start))),
      parts,
    ),
  );
}
