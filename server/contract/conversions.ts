// The types of conversions.

/** What pages and apps report; any other type is stored as `custom`. */
export const CONVERSION_TYPES = [
  'newsletter_signup',
  'custom',
  'lead_capture',
  'link_click',
  'subscription',
  'purchase',
] as const;
