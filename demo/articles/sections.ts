// The sections of the demo newspaper, and which of them an article belongs to by its tags.

/** In the order of the masthead. */
export const SECTIONS = ['Government', 'Technology', 'Design', 'Data', 'Workplace', 'Contracts', 'Ideas'] as const;
export type SectionName = (typeof SECTIONS)[number];

/**
 * How strongly a tag points to a section; the weights of an article's tags are added up, the earlier section wins a
 * tie.
 */
const SIGNALS: Record<SectionName, Record<string, number>> = {
  Government: {
    'agency work': 2,
    'public benefits': 3,
    'product launch': 2,
    'presidential innovation fellows': 3,
    'general services administration': 1,
    'technology transformation services': 2,
    'digital services movement': 3,
    'u.s. digital service': 2,
    'state and local practice': 3,
    'federal front door': 2,
    'every kid in a park': 3,
    'college scorecard': 2,
    'transformation services': 1,
    'civil rights': 4,
    'forest service': 2,
    'tax court': 3,
    uscis: 3,
    alaska: 2,
  },
  Technology: {
    security: 4,
    https: 4,
    api: 3,
    devops: 4,
    'cloud.gov': 3,
    platforms: 2,
    federalist: 2,
    'open source': 2,
    'technical debt': 4,
    'technical guides': 2,
    jekyll: 4,
    testing: 3,
    identity: 3,
    'login.gov': 3,
    'machine learning': 5,
    ai: 5,
    '10x': 1,
    'it centralization': 2,
    hackathons: 2,
  },
  Design: {
    design: 3,
    'user-centered design': 3,
    'user research': 3,
    'web design system': 3,
    'content design': 3,
    accessibility: 5,
    usability: 3,
    'form design': 4,
  },
  Data: {
    'open data': 4,
    'data access': 3,
    'data act': 5,
    useiti: 5,
    'fec.gov': 3,
    transparency: 2,
    'open government': 2,
    'analytics.usa.gov': 5,
    treasury: 2,
    'pulse.cio.gov': 3,
  },
  Workplace: {
    'how we work': 1,
    culture: 4,
    'culture change': 2,
    'staff profiles': 5,
    'day in the life': 5,
    'join us': 3,
    talent: 4,
    training: 3,
    onboarding: 4,
    distributed: 4,
    'communication tools and practices': 2,
    'collaboration tools': 3,
    hub: 3,
  },
  Contracts: {
    'acquisition services': 4,
    procurement: 4,
    'agile bpa': 4,
    'modular contracting': 5,
    'micro-purchase platforms': 5,
    'digital acquisition accelerator': 5,
    'rfp ghostwriting': 4,
    calc: 3,
  },
  Ideas: {
    agile: 3,
    'best practices': 1,
    'modern practices': 2,
    'lessons learned': 2,
    'ask 18f': 5,
    interview: 2,
    'speaker series': 4,
    events: 2,
    product: 3,
    'convincing stakeholders': 4,
    'senior executives': 4,
    'stakeholder management': 3,
    workshop: 2,
    guides: 1,
  },
};

/** The section whose signals the tags carry most; `Ideas` when they carry none. */
export function sectionFor(tags: readonly string[]): SectionName {
  const strength = (section: SectionName) => tags.reduce((sum, tag) => sum + (SIGNALS[section][tag] ?? 0), 0);
  let best: SectionName = 'Ideas';
  for (const section of SECTIONS) if (strength(section) > strength(best)) best = section;
  return best;
}
