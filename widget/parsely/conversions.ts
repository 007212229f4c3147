// Conversions that a page reports by the functions of an older installation.
import type { ParselyFunction } from '../../server/contract/parselySurface.ts';
import { type Details, toDetails, toFields, toText } from './details.ts';

/** Types of conversions and their labels where none is given. */
const LABELS = {
  newsletter_signup: 'Newsletter Signup',
  lead_capture: 'Lead Capture',
  link_click: 'Link Click',
  subscription: 'Subscription',
  purchase: 'Purchase',
  custom: 'Custom',
};
/** The server cuts longer ones. */
const MAX_LABEL = 200;

/** What a page gives of a conversion: fields of its own, or of an event. */
interface Conversion {
  category?: unknown;
  type?: unknown;
  label?: unknown;
  data?: Record<string, unknown>;
  _conversion_type?: unknown;
  _conversion_label?: unknown;
}

type Convert = (type: unknown, label: unknown, details?: Details) => void;

/** @returns Reports a conversion; a type of the page's own is kept. */
export const createConvert =
  (report: (action: 'conversion', details: Details) => void): Convert =>
  (type, label, details = {}) => {
    const said = toText(type, MAX_LABEL) ?? 'custom';
    const known = said.toLowerCase().replaceAll(' ', '_');
    const _conversion_type = Object.hasOwn(LABELS, known) ? known : said;
    const usual = Object.hasOwn(LABELS, known) ? LABELS[known as keyof typeof LABELS] : said;
    const _conversion_label = toText(label, MAX_LABEL) ?? usual;
    report('conversion', { ...details, data: { ...details.data, _conversion_type, _conversion_label } });
  };

/** The functions that report conversions, by their names below `PARSELY`. */
export function conversionFunctions(convert: Convert) {
  const converter = (type: keyof typeof LABELS) => (given: unknown) => {
    // An object is no label; one with fields of its own may have it among them, an event of the browser has not.
    const data = typeof given === 'string' ? undefined : toFields(given);
    convert(type, data?.label ?? data?._conversion_label ?? given, data && { data });
  };
  return {
    'beacon.trackConversion'(given, label) {
      const { category, type, ...rest }: Conversion =
        typeof given === 'string' ? { category: given } : (toFields(given) ?? {});
      const data = rest.data ?? rest;
      const said = rest.label ?? label ?? data._conversion_label;
      convert(category ?? type ?? data._conversion_type, said, toDetails(rest));
    },
    'conversions.trackNewsletterSignup': converter('newsletter_signup'),
    'conversions.trackLeadCapture': converter('lead_capture'),
    'conversions.trackLinkClick': converter('link_click'),
    'conversions.trackSubscription': converter('subscription'),
    'conversions.trackPurchase': converter('purchase'),
    'conversions.trackCustom': converter('custom'),
  } satisfies Partial<Record<ParselyFunction, (...given: unknown[]) => unknown>>;
}
