// Annotations: moments that explain a curve. Those that are derived from what is stored, and those a site writes.

/** Derived from posts and experiments, so no annotation of a site's own has one of these kinds. */
export const DERIVED_KINDS = ['published', 'updated', 'headline', 'experiment'] as const;

/** Kind of an annotation that says none. */
export const DEFAULT_KIND = 'note';

/** Characters: more than a mark on a curve shows, and enough for the first line of a commit. */
export const MAX_LABEL = 200;

/** Annotations of its own that a site keeps: the oldest go first. A deploy a day for almost three years. */
export const MAX_ANNOTATIONS = 1_000;

/** Record of /analytics/annotations. */
export interface AnnotationRecord {
  /** Of one that the site wrote: removes it. null: derived. */
  id: string | null;
  /** One of the derived kinds, or a word of the site's own, such as `deploy`. */
  kind: string;
  /** ISO 8601, with the offset of the site's zone. */
  time: string;
  /** Title of a post, what happened to an experiment, or text of the site's own. */
  label: string;
  /** Of the post that it is about; "": the whole site. */
  url: string;
}
