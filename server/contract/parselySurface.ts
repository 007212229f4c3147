// The functions and values of `p.js` for pages with an older installation, below `PARSELY`. This is the only list: the
// types of the script derive from it, the page check searches with it, and docs/coming-from-parsely.md and the tests
// are compared with it. Sources: the documentation of the interface, and pages that use it.

export interface ParselyMember {
  /**
   * `function`: called by the page. `ignored`: callable without effect. `setting`: written by the page before the
   * script runs. `callback`: a function of the page that the script calls. `value`: written by the script.
   */
  kind: 'function' | 'ignored' | 'setting' | 'callback' | 'value';
  /** Its effect; for an ignored one, the replacement. A sentence without its full stop. */
  says: string;
}

export const PARSELY_SURFACE = {
  apikey: { kind: 'setting', says: 'The Site ID, where neither an element nor the path of the script names it' },
  autotrack: { kind: 'setting', says: '`false`: only views that the page reports are counted' },
  'spa.autotrack': { kind: 'setting', says: '`false`: navigations within the page are not counted' },
  'video.autotrack': { kind: 'setting', says: '`false`: HTML5 videos are not searched for' },
  enable_consent_tracking: {
    kind: 'setting',
    says: '`true`: until the reader agrees, views are counted without an id and no cookie is set',
  },
  initialConsent: { kind: 'setting', says: 'In this mode, what the reader answered before: `true` or `false`' },
  emit_on_denied: {
    kind: 'setting',
    says: '`true`: after a no, views are counted without an id; without it, nothing is',
  },
  onReady: { kind: 'callback', says: "Called once, when the reader's id is known" },
  onload: { kind: 'callback', says: 'Called once, after `onReady`' },
  onBeacon: { kind: 'callback', says: 'Called with each event that is reported' },
  onHeartbeat: { kind: 'callback', says: 'Called with the engaged seconds of each report of them' },
  loaded: { kind: 'value', says: "True when the reader's id is known" },
  'config.apikey': { kind: 'value', says: 'The Site ID' },
  'config.parsely_site_uuid': { kind: 'value', says: "The reader's id; empty where the reader may have none" },
  'config.uuid': { kind: 'value', says: 'The same id' },
  lastRequest: { kind: 'value', says: 'The last event reported, but for heartbeats' },
  'video.trackedVideos': { kind: 'value', says: 'Videos reported by the page, by id' },
  onStart: {
    kind: 'function',
    says: "Calls a function when the reader's id is known; also taken as a callback, and from `_stubs.onStart`",
  },
  updateDefaults: {
    kind: 'function',
    says: 'Adds `data`, `metadata`, `title`, `url` or `urlref` to what is reported from then on',
  },
  setConfigOptions: { kind: 'function', says: 'Copies `track_ip_addresses` into `config`; addresses are never stored' },
  initNewPage: {
    kind: 'function',
    says: 'Resets videos and `lastRequest`, and counts a view unless it was counted already',
  },
  setConsent: { kind: 'function', says: "Takes the reader's answer, `true` or `false`" },
  isFlashlight: { kind: 'function', says: 'Returns false' },
  'beacon.trackPageView': {
    kind: 'function',
    says: 'Reports `{url, urlref, action, data, metadata, title}`: a view, or what `action` names; an action of your own is `custom`',
  },
  'beacon.trackConversion': { kind: 'function', says: 'Reports `{category, label}` as a conversion' },
  'beacon.pixel.beacon': { kind: 'function', says: 'As `beacon.trackPageView`, with `inc` for heartbeats' },
  'conversions.trackNewsletterSignup': { kind: 'function', says: 'Label by default "Newsletter Signup"' },
  'conversions.trackLeadCapture': { kind: 'function', says: 'Label by default "Lead Capture"' },
  'conversions.trackLinkClick': { kind: 'function', says: 'Label by default "Link Click"' },
  'conversions.trackSubscription': { kind: 'function', says: 'Label by default "Subscription"' },
  'conversions.trackPurchase': { kind: 'function', says: 'Label by default "Purchase"' },
  'conversions.trackCustom': { kind: 'function', says: 'Label by default "Custom"' },
  'video.trackPlay': {
    kind: 'function',
    says: 'Reports the start of a video, `(id, metadata, url)`, then its seconds; HTML5 videos are no longer searched for',
  },
  'video.trackPause': { kind: 'function', says: 'Reports the seconds since, and stops counting' },
  'video.reset': { kind: 'function', says: 'The next `video.trackPlay` is a new start' },
  'video.detectVideos': { kind: 'ignored', says: 'HTML5 videos are found without it' },
  'video.addStrategy': { kind: 'ignored', says: 'Report other players by `PARSELY.video.trackPlay` and `trackPause`' },
} as const satisfies Record<string, ParselyMember>;

type Surface = typeof PARSELY_SURFACE;

/** Names of the callable functions. */
export type ParselyFunction = {
  [Name in keyof Surface]: Surface[Name]['kind'] extends 'function' | 'ignored' ? Name : never;
}[keyof Surface];
