// Messages of sites as rows, and the attempts to send them.
import type { SiteId } from '../sites/site.ts';
import type { Engine } from './engine.ts';

/** The server itself, of whose machine there are messages, too. No site has this id. */
export const OF_SERVER = '' as SiteId;

/** A message about a site. */
export interface StoredMessage {
  /** `OF_SERVER` for what concerns the operator. */
  site: SiteId;
  /** The same for the same event, so that it is sent once. */
  id: string;
  /** Such as `alarm.spike`. */
  kind: string;
  /** When it was raised; epoch milliseconds, as are the others. */
  at: number;
  text: string;
  data: Readonly<Record<string, unknown>>;
  /** When it is given up. */
  until: number;
}

/** `claimed`: under way, or its process ended before it was known what came of it. */
export type AttemptOutcome = 'claimed' | 'taken' | 'failed' | 'given_up' | 'unknown';

/** An attempt to send a message to one receiver. */
export interface Attempt {
  site: SiteId;
  message: string;
  /** Such as `webhook`. */
  receiver: string;
  /** From 1. */
  attempt: number;
  /** Id of the process that makes it. */
  claimant: string;
  /** When it began; epoch milliseconds. */
  at: number;
  /** 0: its end is not known. */
  endedAt: number;
  outcome: AttemptOutcome;
  /** Why it failed; "" where it did not. */
  why: string;
}

/** Messages about sites; kept for 90 days. */
export interface MessageStore {
  /** Raised at or after `since`, the oldest first. */
  list(site: SiteId, since: number): Promise<StoredMessage[]>;
  /** Sites with messages that were raised at or after `since`, and are not to be given up before `now`. */
  sitesWithNews(times: { since: number; now: number }): Promise<SiteId[]>;
  /** Durable once resolved; the same message again changes nothing. */
  save(message: StoredMessage): Promise<void>;
  /** The last attempt for each message and receiver that was made at or after `since`. */
  lastAttempts(site: SiteId, since: number): Promise<Attempt[]>;
  /**
   * Stores that an attempt begins.
   * @returns false where another process has begun the same attempt.
   */
  claim(attempt: Attempt): Promise<boolean>;
  /** Stores how an attempt ended. */
  end(attempt: Attempt): Promise<void>;
}

interface MessageRow {
  site: SiteId;
  id: string;
  kind: string;
  at: number;
  text: string;
  data: string;
  until: number;
}

interface AttemptRow extends Omit<Attempt, 'endedAt'> {
  ended_at: number;
}

const LAST_ATTEMPTS = `SELECT toString(site) AS site, message, receiver, attempt, claimant, at, ended_at,
  toString(outcome) AS outcome, why
  FROM message_attempts FINAL WHERE site = {site:String} AND at >= {since:UInt64}
  ORDER BY message, receiver, attempt DESC LIMIT 1 BY message, receiver`;

const CLAIMANT = `SELECT claimant FROM message_attempts FINAL
  WHERE site = {site:String} AND message = {message:String} AND receiver = {receiver:String} AND attempt = {attempt:UInt16}`;

export function createMessageStore(engine: Engine): MessageStore {
  /** Of rows with the same token the engine takes the first. */
  const insertAttempt = ({ endedAt, ...attempt }: Attempt, state: 'begins' | 'ends') =>
    engine.insert(
      'message_attempts',
      [{ ...attempt, ended_at: endedAt } satisfies AttemptRow],
      ['attempt', state, attempt.site, attempt.message, attempt.receiver, attempt.attempt].join(' '),
    );

  return {
    async list(site, since) {
      const rows = await engine.rows<MessageRow>(
        `SELECT toString(site) AS site, id, toString(kind) AS kind, at, text, data, until
         FROM messages FINAL WHERE site = {site:String} AND at >= {since:UInt64} ORDER BY at, id`,
        { site, since },
      );
      return rows.map(({ data, ...row }) => ({ ...row, data: JSON.parse(data) as StoredMessage['data'] }));
    },

    async sitesWithNews({ since, now }) {
      const rows = await engine.rows<{ site: SiteId }>(
        `SELECT DISTINCT toString(site) AS site FROM messages WHERE at >= {since:UInt64} AND until >= {now:UInt64}`,
        { since, now },
      );
      return rows.map(({ site }) => site);
    },

    save: ({ data, ...message }) =>
      engine.insert('messages', [{ ...message, data: JSON.stringify(data) } satisfies MessageRow]),

    async lastAttempts(site, since) {
      const rows = await engine.rows<AttemptRow>(LAST_ATTEMPTS, { site, since });
      return rows.map(({ ended_at, ...row }) => ({ ...row, endedAt: ended_at }));
    },

    async claim(attempt) {
      await insertAttempt(attempt, 'begins');
      const { site, message, receiver, attempt: number } = attempt;
      const [row] = await engine.rows<{ claimant: string }>(CLAIMANT, { site, message, receiver, attempt: number });
      return row?.claimant === attempt.claimant;
    },

    end: (attempt) => insertAttempt(attempt, 'ends'),
  };
}
