// `p.js`: for pages that carry a Parse.ly installation, of which only the host is changed. It reads the Site ID where
// that installation keeps it, and defines what scripts around it (the WordPress plugin's among them) read and call:
// server/contract/parselySurface.ts lists all of it.
import { type Afterword, openQueue } from './commands.ts';
import { openConsentMode } from './parsely/consent.ts';
import { createFunctions, type Functions } from './parsely/functions.ts';
import { idCookie } from './parsely/idCookie.ts';
import { call, type Parsely } from './parsely/pageObject.ts';
import { watchInstead } from './track/engaged.ts';
import { mapEvents } from './track/queue.ts';
import { filterAutomaticViews } from './track/view.ts';
import { ofDocument, ofWindow } from './unclobbered.ts';
import { keepIdIn, storeId } from './visitor.ts';
import { startWhole } from './whole.ts';

/** Marks an object that has its functions: a second copy of this file calls nothing of the page again. */
const MARK = Symbol.for('afterword');

/**
 * Declared by `const` or `let`, the page's object is no property of the window. An element of that name is none either.
 */
declare const PARSELY: unknown;

// Set by the build.
declare const PARTS_ENDING: string;

const tag = ofDocument('currentScript') as HTMLScriptElement | null;
const parsely = findParsely();
if (tag && !Reflect.has(parsely, MARK)) open(tag);
startWhole(tag, (part, server, query) => import(/* @vite-ignore */ server + part + PARTS_ENDING + query));

/** The page's object, or a new one where it is none that can be added to. */
function findParsely(): Parsely & { [MARK]?: boolean } {
  const declared = typeof PARSELY === 'object' && !(PARSELY instanceof EventTarget) ? (PARSELY as Parsely) : undefined;
  const given = ofWindow<Parsely>('PARSELY') ?? declared;
  const usable = given && Object(given) === given && Object.isExtensible(given) ? given : { ...given };
  Object.assign(window, { PARSELY: usable });
  return usable;
}

function open(script: HTMLScriptElement): void {
  const queue = openQueue();
  const besides = navigator.afterword !== undefined;
  const run = (asked: (afterword: Afterword) => void): void => void queue.push(asked);
  const { onStart: started, _stubs: stubs } = parsely;
  script.dataset.site ||= findSite(script);
  const config: Record<string, unknown> = { ...parsely.config, apikey: script.dataset.site };
  Object.defineProperty(parsely, MARK, { value: true });
  Object.assign(parsely, { config });
  const consent = openConsentMode(parsely, script, besides, run);

  const ready = new Promise<Afterword>((resolve) => {
    run(async (afterword) => {
      const shares = besides && keepsId(script);
      const exposeId = async (): Promise<string | undefined> => {
        const id = await afterword.visitor();
        // Empty: scripts around it write it into addresses as it is.
        config.uuid = config.parsely_site_uuid = id ?? '';
        return id;
      };
      follow(afterword, (given) => {
        if (shares && !given) idCookie.remove();
        return exposeId();
      });
      consent.apply(afterword);
      const id = await exposeId();
      if (shares && id) await shareId(id);
      resolve(afterword);
    });
  });
  let watched = false;
  const functions = createFunctions({
    parsely,
    run,
    ready,
    besides,
    setConsent: consent.set,
    onUrl(url) {
      script.dataset.url = url;
    },
    onVideo({ watch }) {
      if (watched) return;
      watched = true;
      if (besides) setInterval(watch, 1000);
      else watchInstead(watch);
    },
  });
  define(functions);
  if (!besides) takeOver(script, functions);
  ready.then(() => {
    parsely.loaded = true;
    // In tasks of their own: what the page's functions throw is the page's.
    functions.all.onStart(started);
    for (const given of Array.from(stubs?.onStart || [])) functions.all.onStart(given?.[0]);
    setTimeout(() => call(parsely, 'onReady'));
    setTimeout(() => call(parsely, 'onload'));
  });
}

/** Without any of these, an installation stands for the host it is on. */
function findSite({ src }: HTMLScriptElement): string {
  const marking = ofDocument('querySelector').call(document, '[data-parsely-site]') as HTMLElement | null;
  return marking?.dataset.parselySite || parsely.apikey || /\/keys\/([^/]+)\//.exec(src)?.[1] || location.hostname;
}

/** Functions by their dotted names; what the page has put beside them stays. */
function define({ all, videos }: Functions): void {
  const values = { ...all, 'video.trackedVideos': videos.trackedVideos };
  for (const [path, value] of Object.entries(values)) {
    const names = path.split('.');
    const last = names.pop()!;
    let target = parsely as Record<string, unknown>;
    for (const name of names) {
      if (Object(target[name]) !== target[name] || !Object.isExtensible(target[name])) target[name] = {};
      target = target[name] as Record<string, unknown>;
    }
    target[last] = value;
  }
}

/** What this file decides where the page part is its own, before that starts. */
function takeOver(script: HTMLScriptElement, { views, videos, complete }: Functions): void {
  filterAutomaticViews(views.filter);
  mapEvents(complete);
  if (keepsId(script)) keepIdIn(idCookie);
  const { autotrack } = (parsely as { video: { autotrack?: boolean } }).video;
  if (autotrack === false) watchInstead(videos.watch);
  // Before the page part sends what there is.
  addEventListener('visibilitychange', videos.report);
}

/** Not where nothing is reported that the id is for. */
function keepsId({ dataset }: HTMLScriptElement): boolean {
  return !dataset.track || /\b(pageview|profile)\b/.test(dataset.track);
}

/**
 * Calls back at each later decision of the reader: consent, refusal or erasure. Pages call the methods of the object or
 * of the queue, so that both are wrapped.
 */
function follow(afterword: Afterword, decided: (given?: boolean) => Promise<unknown>): void {
  for (const name of ['consent', 'forget'] as const) {
    const decide: (given: boolean) => Promise<void> = afterword[name];
    const both = async (given: boolean): Promise<void> => {
      await Promise.all([decide(given), decided(given)]);
    };
    Object.assign(afterword, { [name]: both });
    Object.assign(openQueue(), { [name]: both });
  }
}

/**
 * Beside `afterword.js`, which knows no cookie: an old one's id is stored, for the pages after this one, and a new one
 * has the id of this page.
 */
async function shareId(id: string): Promise<void> {
  const old = idCookie.read();
  if (old === undefined || old === id) idCookie.write(id);
  else await storeId(old).catch(console.debug);
}
