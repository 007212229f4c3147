// The kind of device, by user agent and screen. Browsers of Android phones have "Mobile" in their agent, those of
// tablets do not; apps, whose agent is the runtime's (`Dalvik/2.1.0 (Linux; U; Android 14; SM-X710 Build/…)`), never
// have it: there the model decides.
import Bowser from 'bowser';
import type { Device } from '../eventRow.ts';

/**
 * The model after the version of Android: `Android 14; Pixel 8 Build/…`, `Android 13; de-de; SM-T970)`. Linear time.
 */
const ANDROID_MODEL = /\bAndroid[^;()]*;(?: ?[a-z]{2}(?:[-_][a-z]{2})?;)?([^;()]+)/i;

/** Models of tablets by maker. A name that contains "tab", "tablet" or "pad" needs no entry. */
const TABLET_MODELS: readonly string[] = [
  // Samsung Galaxy Tab, Note 8 and 10.1
  'SM-[TXP]\\d{3}',
  'GT-P\\d{4}',
  'GT-N(?:51|80)\\d\\d',
  // Google
  'Pixel C',
  'Nexus (?:7|9|10)\\b',
  // Amazon Fire
  'KF[A-Z]{2,6}\\b',
  // Lenovo
  'TB-?[0-9X]',
  'YT-?[0-9A-Z]',
  // Huawei and Honor
  '(?:AGS|AGR|BAH|BTV|BTK|CMR|DBR|DBY|GOT|HEY|JDN|KOB|KRJ|MRX|SCM|SHT|VRD|WGR|WRR|XYAO)[0-9A-Z]?-[A-Z]\\w\\d',
  // Xiaomi and Redmi
  '\\d{4,5}C?RP[0-9A-Z]{3}',
  '21051182[CG]',
  '22081283[CG]',
  // OPPO and OnePlus, realme, vivo, Nokia
  'OPD\\d{4}',
  'RMP\\d{4}',
  'PA\\d{4}$',
  'Nokia T\\d\\d',
  // Sony, LG, ASUS, onn.
  'SGP\\d{3}',
  'LG-V\\d{3}',
  'P0[0-2][0-9A-Z]$',
  '100\\d{6}$',
];

const TABLET_MODEL = new RegExp(`^(?:(?:samsung|lenovo|huawei|amazon|nokia) )?(?:${TABLET_MODELS.join('|')})`, 'i');
const TABLET_WORD = /\b(?:[a-z]*pad|tab|tablet)(?:\b|\d)/i;

/** Ratio of height to width above which a screen is a phone's (16:9 and more); tablets have 3:2, 16:10, 4:3. */
const TABLET_RATIO = 1.7;
/** Shortest side in pixels; smaller screens are those of watches. */
const LEAST_SIDE = 240;

/** Safari on an iPad has the agent of a Mac; its screen is one of these, in CSS pixels, always in portrait. */
const IPAD_SCREENS: ReadonlySet<string> = new Set([
  '744x1133',
  '768x1024',
  '810x1080',
  '820x1180',
  '834x1112',
  '834x1194',
  '834x1210',
  '1024x1366',
  '1032x1376',
]);
const DESKTOP_SAFARI = /^Mozilla\/5\.0 \(Macintosh;[^)]*\) AppleWebKit\/\S+ \(KHTML, like Gecko\) Version\//;

/** The device by its user agent alone. */
export interface AgentDevice {
  /** Undefined where the text leaves it open. */
  device: Device | undefined;
  /** A Mac, or an iPad with the agent of one. */
  maybeTablet: boolean;
}

/** @param userAgent Already cut to a bounded length. */
export function deviceOfAgent(userAgent: string): AgentDevice {
  return { device: kindOf(userAgent), maybeTablet: DESKTOP_SAFARI.test(userAgent) };
}

function kindOf(userAgent: string): Device | undefined {
  // Bowser throws on an empty text.
  if (userAgent === '') return undefined;
  const model = ANDROID_MODEL.exec(userAgent)?.[1]
    ?.replace(/Build\/.*$/, '')
    .trim();
  if (model !== undefined && (TABLET_MODEL.test(model) || TABLET_WORD.test(model))) return 'tablet';
  const fromBrowser = /^(?:Mozilla|Opera)\//.test(userAgent);
  if (!fromBrowser && /\bAndroid\b|^Dalvik\//i.test(userAgent)) return 'mobile';
  if (!fromBrowser && /\biPad/.test(userAgent)) return 'tablet';
  if (!fromBrowser && /\biP(?:hone|od)/.test(userAgent)) return 'mobile';
  const type = Bowser.getParser(userAgent).getPlatformType(true);
  return type === 'mobile' || type === 'tablet' || type === 'desktop' ? type : undefined;
}

/**
 * The device of an event: by its agent, or, where that leaves it open, by its screen.
 * @param screen `1080x2400`, more fields behind a `|`; undefined where none was sent.
 * @param otherwise Where neither decides.
 */
export function deviceOf({ device, maybeTablet }: AgentDevice, screen: string | undefined, otherwise: Device): Device {
  if (device !== undefined && !maybeTablet) return device;
  const size = screen === undefined ? undefined : parseScreen(screen);
  if (size === undefined) return device ?? otherwise;
  if (maybeTablet) return IPAD_SCREENS.has(size.join('x')) ? 'tablet' : (device ?? otherwise);
  // Only apps are left, which name no device.
  if (otherwise !== 'mobile') return otherwise;
  const [short, long] = [Math.min(...size), Math.max(...size)];
  return short >= LEAST_SIDE && long / short <= TABLET_RATIO ? 'tablet' : 'mobile';
}

function parseScreen(screen: string): readonly [width: number, height: number] | undefined {
  const [, width, height] = /^(\d{2,5})x(\d{2,5})(?:$|\|)/.exec(screen) ?? [];
  return width === undefined ? undefined : [Number(width), Number(height)];
}
