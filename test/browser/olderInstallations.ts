// Pages with an older installation, as publishers have them: after the documentation of the interface, and the ways in which
// public pages call it. `{path}` is the page's own folder, `{host}` the server.

export interface Installation {
  /** The page's body. */
  body: string;
  /** Run in the page once the reader's id is known. */
  act?: string;
  /** Events in the order they arrive: `action /path from /path {data}`. */
  events: string[];
  /** Views of paths below the page's folder, as the server counts them. */
  views: Record<string, number>;
  /** What the page's own functions throw. */
  throws?: string[];
}

export const TAG = '<script src="{host}/keys/example.com/p.js"></script>';
const settings = (object: string): string => `<script>window.PARSELY = window.PARSELY || ${object};</script>`;
/** As a hand-written loader adds it, from a host that names no site. */
const LOADER =
  '<div id="parsely-root" style="display: none"><span id="parsely-cfg" data-parsely-site="example.com"></span></div><script>' +
  '(function (s, p, d) { var e = d.createElement(s); e.id = p + "-" + s; e.async = true; e.src = "{host}/p.js";' +
  'd.getElementById(p + "-root").appendChild(e); })("script", "parsely", document);</script>';
const REPORTED_BY_HAND = `{ autotrack: false, onReady: function () {
  PARSELY.updateDefaults({ data: { is_logged_in: false } });
  PARSELY.beacon.trackPageView();
} }`;

export const INSTALLATIONS: Record<string, Installation> = {
  'a marked script': {
    body: '<script data-parsely-site="example.com" src="{host}/keys/example.com/p.js" id="parsely-cfg" async defer></script>',
    events: ['pageview /'],
    views: { '/': 1 },
  },
  'a loader that adds the script': { body: LOADER, events: ['pageview /'], views: { '/': 1 } },
  'the Site ID in the path': { body: TAG, events: ['pageview /'], views: { '/': 1 } },
  'settings declared by const': {
    body: '<script>const PARSELY = { autotrack: false, apikey: "example.com", onload() { PARSELY.beacon.trackPageView() } };</script><script src="{host}/p.js"></script>',
    events: ['pageview /'],
    views: { '/': 1 },
  },
  'views reported by hand, with data about the reader': {
    body: settings(REPORTED_BY_HAND) + TAG,
    events: ['pageview / {"is_logged_in":false}'],
    views: { '/': 1 },
  },
  'views reported by hand at each route': {
    body: settings(REPORTED_BY_HAND) + LOADER,
    act: `for (const route of ['b', 'c']) {
      history.pushState(null, '', '{path}/' + route);
      await later();
      PARSELY.beacon.trackPageView();
    }`,
    events: [
      'pageview / {"is_logged_in":false}',
      'pageview /b from / {"is_logged_in":false}',
      'pageview /c from /b {"is_logged_in":false}',
    ],
    views: { '/': 1, '/b': 1, '/c': 1 },
  },
  'functions given before the script is here': {
    body:
      settings('{ autotrack: false, _stubs: { onStart: [] }, onStart() { PARSELY._stubs.onStart.push(arguments); } }') +
      `<script>PARSELY.onStart(function () { PARSELY.beacon.trackPageView({ data: { started: true } }); });</script>${TAG}`,
    events: ['pageview / {"started":true}'],
    views: { '/': 1 },
  },
  'endless scrolling': {
    body: TAG,
    act: `PARSELY.beacon.trackPageView({ url: '{path}/next', urlref: location.href, js: 1 });
      PARSELY.conversions.trackNewsletterSignup('below the second');
      PARSELY.beacon.trackPageView({ url: 'third', urlref: 'https://www.google.com/', data: { depth: 3 }, title: 'Third', js: 1 });`,
    events: [
      'pageview /',
      'pageview /next from /',
      'conversion /next {"_conversion_type":"newsletter_signup","_conversion_label":"below the second"}',
      'pageview /third from https://www.google.com/ {"depth":3}',
    ],
    views: { '/': 1, '/next': 1, '/third': 1 },
  },
  'an address given once, and navigations afterwards': {
    body: settings('{ autotrack: false }') + TAG,
    act: `PARSELY.spa = { autotrack: true };
      PARSELY.beacon.trackPageView({ url: '{path}/given' });
      history.pushState(null, '', '{path}/b');
      await later();
      PARSELY.beacon.trackPageView({ url: '{path}/b/2', urlref: '{path}/b' });
      PARSELY.beacon.trackPageView();`,
    events: ['pageview /given', 'pageview /b from /given', 'pageview /b/2 from /b', 'pageview /b from /b/2'],
    views: { '/': 0, '/given': 1, '/b': 2, '/b/2': 1 },
  },
  'navigations within the page': {
    body: TAG,
    act: `history.pushState(null, '', '{path}/b'); await later(); history.back(); await later();`,
    events: ['pageview /', 'pageview /b from /', 'pageview / from /b'],
    views: { '/': 2, '/b': 1 },
  },
  'navigations that the page reports as well': {
    body: TAG,
    act: `history.pushState(null, '', '{path}/b?utm_source=x');
      PARSELY.beacon.trackPageView({ url: '{path}/b', urlref: '{path}/', js: 1 });
      await later();
      history.pushState(null, '', '{path}/c');
      await later();
      PARSELY.beacon.trackPageView({ url: '{path}/c', urlref: '{path}/b', js: 1 });
      PARSELY.beacon.trackPageView({ url: '{path}/c', urlref: '{path}/c', js: 1 });`,
    events: ['pageview /', 'pageview /b from /', 'pageview /c from /b', 'pageview /c from /c'],
    views: { '/': 1, '/b': 1, '/c': 2 },
  },
  'navigations that are not to be counted': {
    body: settings('{ spa: { autotrack: false } }') + TAG,
    act: `history.pushState(null, '', '{path}/b'); await later();`,
    events: ['pageview /'],
    views: { '/': 1, '/b': 0 },
  },
  'a page that starts anew': {
    body: TAG,
    act: `history.pushState(null, '', '{path}/b'); PARSELY.initNewPage(); await later();
      history.pushState(null, '', '{path}/c'); await later(); PARSELY.initNewPage();
      PARSELY.initNewPage(false);
      window.last = typeof PARSELY.lastRequest;
      PARSELY.initNewPage();`,
    events: ['pageview /', 'pageview /b from /', 'pageview /c from /b', 'pageview /c from /c'],
    views: { '/': 1, '/b': 1, '/c': 2 },
  },
  'a conversion as a view with an action': {
    body: TAG,
    act: `PARSELY.beacon.trackPageView({ action: 'conversion', data: { _conversion_type: 'subscription', _conversion_label: 'Gold', plan: 7 } });
      PARSELY.beacon.trackPageView({ action: 'conversion', url: '{path}/shop', data: { _conversion_type: 'purchase' } });
      PARSELY.beacon.trackConversion({ category: 'Lead Capture', label: 'Form' });
      PARSELY.beacon.trackConversion('link_click');`,
    events: [
      'pageview /',
      'conversion / {"_conversion_type":"subscription","_conversion_label":"Gold","plan":7}',
      'conversion /shop {"_conversion_type":"purchase","_conversion_label":"Purchase"}',
      'conversion / {"_conversion_type":"lead_capture","_conversion_label":"Form"}',
      'conversion / {"_conversion_type":"link_click","_conversion_label":"Link Click"}',
    ],
    views: { '/': 1, '/shop': 0 },
  },
  'events of a tag manager, each by its action': {
    body: settings('{ autotrack: false }') + TAG,
    act: `for (const action of [undefined, 'Signed Up', 'Video Content Started', 'pageview'])
      PARSELY.beacon.trackPageView({ action, url: '{path}/', urlref: undefined, js: 1,
        data: { tags: ['a "b"', 'c'], at: new Date(0), nested: { deep: true }, node: document.body, run() {} } });`,
    events: [
      'pageview / {"tags":["a \\"b\\"","c"],"at":"1970-01-01T00:00:00.000Z","nested":{"deep":true}}',
      'custom / {"tags":["a \\"b\\"","c"],"at":"1970-01-01T00:00:00.000Z","nested":{"deep":true},"what":"Signed Up"}',
      'custom / {"tags":["a \\"b\\"","c"],"at":"1970-01-01T00:00:00.000Z","nested":{"deep":true},"what":"Video Content Started"}',
      'pageview / from / {"tags":["a \\"b\\"","c"],"at":"1970-01-01T00:00:00.000Z","nested":{"deep":true}}',
    ],
    views: { '/': 2 },
  },
  'a video player': {
    body: TAG,
    act: `PARSELY.video.trackPlay('video-1', { title: 'Film', authors: ['Ada'], duration: 9000 }, '{path}/film');
      await until(() => PARSELY.video.trackedVideos['video-1'].seconds > 0);
      PARSELY.video.trackPause('video-1', { title: 'Film' });
      PARSELY.video.trackPlay('video-1');
      PARSELY.video.reset('video-1');
      PARSELY.video.trackPlay('video-1', { title: 'Film' });
      PARSELY.video.trackPause('never played');`,
    events: ['pageview /', 'videostart /film', 'vheartbeat /film', 'videostart /', 'heartbeat /'],
    views: { '/': 1 },
  },
  'conversions at the load event of the script': {
    body: `<script>
      var script = document.createElement('script');
      script.src = '{host}/keys/example.com/p.js';
      script.onload = function () { PARSELY.conversions.trackPurchase('Plan A, Plan B'); };
      document.head.appendChild(script);</script>`,
    events: ['pageview /', 'conversion / {"_conversion_type":"purchase","_conversion_label":"Plan A, Plan B"}'],
    views: { '/': 1 },
  },
  'clicks on links and forms': {
    body: `<a id="link" href="#x">Login</a><button>Go</button>${TAG}<script>
      document.querySelector('button').addEventListener('click', PARSELY.conversions.trackLinkClick);
      document.getElementById('link').onclick = function () { PARSELY.conversions.trackLinkClick('SiteLogin'); };</script>`,
    act: `document.querySelector('button').click();
      document.getElementById('link').click();
      PARSELY.conversions.trackCustom({ a: 1 });
      PARSELY.conversions.trackLeadCapture({ label: 'Form', a: 1 });
      PARSELY.conversions.trackSubscription('  ');`,
    events: [
      'pageview /',
      'conversion / {"_conversion_type":"link_click","_conversion_label":"Link Click"}',
      'conversion / {"_conversion_type":"link_click","_conversion_label":"SiteLogin"}',
      'conversion / {"a":1,"_conversion_type":"custom","_conversion_label":"Custom"}',
      'conversion / {"label":"Form","a":1,"_conversion_type":"lead_capture","_conversion_label":"Form"}',
      'conversion / {"_conversion_type":"subscription","_conversion_label":"Subscription"}',
    ],
    views: { '/': 1 },
  },
  'calls before the reader is known, in their order': {
    body: `${settings('{ autotrack: false }')}${TAG}<script>
      PARSELY.updateDefaults({ data: { plan: 'basic' } });
      PARSELY.beacon.trackPageView();
      PARSELY.conversions.trackNewsletterSignup();
      PARSELY.updateDefaults({ data: { tier: 2 }, url: '{path}/fixed' });
      PARSELY.beacon.trackPageView();</script>`,
    events: [
      'pageview / {"plan":"basic"}',
      'conversion / {"plan":"basic","_conversion_type":"newsletter_signup","_conversion_label":"Newsletter Signup"}',
      'pageview /fixed from / {"plan":"basic","tier":2}',
    ],
    views: { '/': 1, '/fixed': 1 },
  },
  'the tag of its own before it': {
    body: `<script src="{host}/afterword.js" data-site="example.com"></script>${settings(REPORTED_BY_HAND)}${TAG}`,
    act: `PARSELY.beacon.trackPageView({ url: '{path}/next' }); PARSELY.conversions.trackLinkClick();
      PARSELY.beacon.trackPageView({ action: 'Opened' });`,
    events: [
      'pageview /',
      'pageview /next from / {"is_logged_in":false}',
      'conversion / {"is_logged_in":false,"_conversion_type":"link_click","_conversion_label":"Link Click"}',
      'custom / {"is_logged_in":false,"what":"Opened"}',
    ],
    views: { '/': 1, '/next': 1 },
  },
  'the tag of its own after it, and the script twice': {
    body: `${settings(REPORTED_BY_HAND)}${TAG}<script src="{host}/afterword.js" data-site="example.com"></script>${LOADER}`,
    events: ['pageview / {"is_logged_in":false}'],
    views: { '/': 1 },
  },
  'functions of its own that throw': {
    body: `${settings(
      "{ onStart() { throw new Error('start') }, onReady() { throw new Error('ready') }, onload() { throw new Error('load') }, onBeacon() { throw new Error('beacon') } }",
    )}${TAG}`,
    act: `await until(() => window.thrown >= 4); PARSELY.conversions.trackLinkClick();`,
    events: ['pageview /', 'conversion / {"_conversion_type":"link_click","_conversion_label":"Link Click"}'],
    views: { '/': 1 },
    throws: ['beacon', 'beacon', 'load', 'ready', 'start'],
  },
  'options and functions that change nothing': {
    body: TAG,
    act: `PARSELY.setConfigOptions({ track_ip_addresses: false, apikey: 'other.example' });
      PARSELY.video.detectVideos(); PARSELY.video.addStrategy({}); PARSELY.setConfigOptions();
      if (PARSELY.isFlashlight()) throw new Error('flashlight');
      if (PARSELY.config.track_ip_addresses !== false || PARSELY.config.apikey !== 'example.com') throw new Error('config');`,
    events: ['pageview /'],
    views: { '/': 1 },
  },
  'beacons of its own': {
    body: settings('{ autotrack: false }') + TAG,
    act: `PARSELY.beacon.pixel.beacon({ date: new Date().toString(), action: 'pageview', url: '{path}/', urlref: '' });
      PARSELY.beacon.pixel.beacon({ action: 'heartbeat', inc: 5, tt: 5 });
      PARSELY.beacon.pixel.beacon({ action: 'share', data: { network: 'fb' } });`,
    events: ['pageview /', 'heartbeat /', 'share / {"network":"fb"}'],
    views: { '/': 1 },
  },
};
