// What an experiment is: variants of a list, to which readers are assigned by shares.

/** Which posts a related list shows, and in which order: by the page, by what readers read next, by both, and so on. */
export const RANKINGS = ['content', 'readers', 'mix', 'newest', 'popular'] as const;
export type Ranking = (typeof RANKINGS)[number];

/** What an experiment decides by. */
export const GOALS = ['clicks', 'quality_clicks', 'views'] as const;
export type Goal = (typeof GOALS)[number];

/**
 * Running: readers are assigned. Stopped: all get the control, and the result stays. Archived: as stopped, not
 * listed.
 */
export const STATES = ['running', 'stopped', 'archived'] as const;
export type State = (typeof STATES)[number];

export const MOST_VARIANTS = 10;
/** Of a site, but for archived ones. */
export const MOST_LISTED = 100;
/** Of a site, archived ones included: two a week for five years. Their names stay taken, and their results are kept. */
export const MOST_EXPERIMENTS = 500;
/** Readers after which an experiment ends, where it names no number. */
export const PLANNED_READERS = 50_000;

/** A variant, and what it changes of the list. */
export interface VariantRecord {
  name: string;
  /** Percent of the readers. */
  share: number;
  layout?: string | undefined;
  heading?: string | undefined;
  limit?: number | undefined;
  slot?: string | undefined;
  ranking?: Ranking | undefined;
  /** Name of a set of rules of editors, or `none`. */
  rules?: string | undefined;
  /** No list is drawn. */
  list?: 'none' | undefined;
}

/** A running experiment as answers of lists carry it, for the widget to assign readers. */
export interface ExperimentDefinition {
  name: string;
  /** Name of the slot whose list it changes. */
  slot: string;
  /** The control first. */
  variants: VariantRecord[];
}

/** Why an experiment ended: a command, a decision, the planned readers, or as many days as reports are kept. */
export const ENDINGS = ['command', 'decision', 'readers', 'days'] as const;
export type Ending = (typeof ENDINGS)[number];

/** The rates of an experiment: its possible goals, and what guards them alone. */
export const RATES = ['clicks', 'quality_clicks', 'views', 'bounces', 'layout_shift', 'errors'] as const;
export type Rate = (typeof RATES)[number];

/**
 * What must not become worse while the goal is pursued. Rates of a list are none where views decide: a variant without
 * a list has no clicks. Clicks are none where quality clicks decide: fewer bad clicks are no loss.
 */
export const GUARDRAILS: Readonly<Record<Goal, readonly Rate[]>> = {
  clicks: ['quality_clicks', 'views', 'bounces', 'layout_shift', 'errors'],
  quality_clicks: ['views', 'bounces', 'layout_shift', 'errors'],
  views: ['bounces', 'layout_shift', 'errors'],
};

/** Those that pages measure. */
export const MEASURED = ['layout_shift', 'errors'] as const satisfies readonly Rate[];
type Measured = (typeof MEASURED)[number];

/** Absent: no page measured it, as in results that were kept before pages did. */
export type Rates = Record<Exclude<Rate, Measured>, number> & { [Name in Measured]?: number | undefined };

/** Measured by pages, rather than counted. */
export const isMeasured = (rate: Rate): boolean => MEASURED.some((one) => one === rate);

/** Whether a difference says anything: where pages measured a rate, one of both sides must not be zero. */
export const isCompared = (rate: Rate, rates: Rates, control: Rates | undefined): boolean =>
  !isMeasured(rate) || Boolean(rates[rate] || control?.[rate]);

/**
 * `broken`: readers do not come in the intended shares, figures mean nothing. `harm`: a guardrail is worse. `wins`: a
 * variant is better than the control. `none`: none is. `wait`: this is not decided.
 */
export const VERDICTS = ['broken', 'harm', 'wins', 'none', 'wait'] as const;
export type VerdictName = (typeof VERDICTS)[number];

/** A rate of a variant beside that of the control. */
export interface ComparisonRecord {
  metric: Rate;
  /** Rate of the variant, less that of the control. null with `low` and `high`: too little is known. */
  difference: number | null;
  /** Ends of the interval of the difference, also where one looks each day. */
  low: number | null;
  high: number | null;
  /** Where there is no difference, evidence ever seems this large in at most so many of hundred experiments. */
  p_value: number;
  decided: 'better' | 'worse' | null;
}

/** A difference with its sign; none for one that is written as nothing. */
export function toSigned(difference: number, write: (size: number) => string): string {
  const size = write(Math.abs(difference));
  return Number.parseFloat(size) === 0 ? size : `${difference > 0 ? '+' : '-'}${size}`;
}

/** What is known of an experiment; of one that has ended, what was known then. */
export interface ExperimentResult {
  /** When it was counted; ISO 8601, UTC. */
  counted: string;
  readers: number;
  verdict: VerdictName;
  /** The variant that the verdict is about; null: about none. */
  about: string | null;
  /** The verdict in words: who leads, by how much, how sure that is, what to do. */
  says: string[];
  /** Whether variants get other shares of the readers than they should. */
  sample_ratio: { wrong: boolean; p_value: number };
  /** The control first, which has no comparisons. */
  variants: { name: string; readers: number; rates: Rates; comparisons: ComparisonRecord[] }[];
}

/** An experiment as it is answered. */
export interface ExperimentRecord {
  name: string;
  slot: string;
  goal: Goal;
  /** Readers after which it ends. */
  readers: number;
  state: State;
  /** ISO 8601, UTC. */
  started: string;
  stopped: string | null;
  /** Why it ended; null while it runs. */
  ended_by: Ending | null;
  /** The control first. */
  variants: VariantRecord[];
  /** Where one experiment is asked for. */
  result?: ExperimentResult;
}
