// Messages to webhooks as rows: the newest version of each counts.
import type { SiteId } from '../sites/site.ts';
import type { Engine } from './engine.ts';

/** A message to the webhook of a site. */
export interface StoredMessage {
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
  /** Absent: it was not taken yet. */
  takenAt?: number | undefined;
}

/** Messages to the webhooks of sites; kept for 90 days. */
export interface WebhookMessageStore {
  /** Raised at or after `since`, the oldest first. */
  list(site: SiteId, since: number): Promise<StoredMessage[]>;
  /** Inserts, or says of one that is there that it was taken. Durable once resolved. */
  save(message: StoredMessage): Promise<void>;
}

interface MessageRow {
  site: SiteId;
  id: string;
  kind: string;
  at: number;
  text: string;
  data: string;
  until: number;
  taken_at: number;
}

export function createWebhookMessageStore(engine: Engine): WebhookMessageStore {
  const save = ({ site, id, kind, at, text, data, until, takenAt = 0 }: StoredMessage) =>
    engine.insert('webhook_messages', [
      { site, id, kind, at, text, data: JSON.stringify(data), until, taken_at: takenAt } satisfies MessageRow,
    ]);

  return {
    async list(site, since) {
      const rows = await engine.rows<MessageRow>(
        `SELECT toString(site) AS site, id, toString(kind) AS kind, at, text, data, until, taken_at
         FROM webhook_messages FINAL WHERE site = {site:String} AND at >= {since:UInt64} ORDER BY at, id`,
        { site, since },
      );
      return rows.map(({ taken_at, data, ...row }) => ({
        ...row,
        data: JSON.parse(data) as StoredMessage['data'],
        ...(taken_at > 0 && { takenAt: taken_at }),
      }));
    },
    save,
  };
}
