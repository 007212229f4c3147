// What an experiment is: variants of a list, to which readers are assigned by shares.

/** What an experiment decides by; the others are guardrails. */
export const GOALS = ['clicks', 'quality_clicks', 'views'] as const;
export type Goal = (typeof GOALS)[number];
