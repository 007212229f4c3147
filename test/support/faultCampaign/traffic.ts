// Continuous traffic: page views, resends of what was not acknowledged, and some of what was.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../../demo/world/random.ts';
import type { Readers } from '../beacons.ts';
import { until } from '../until.ts';

const SENDERS = 8;
const RESENT_SHARE = 0.2;
/** With more views than this unanswered there are only resends, as from senders that hold what was not acknowledged. */
const MOST_UNANSWERED = 300;
/** Pause of a sender after a refusal. */
const PAUSE_MS = 60;
/** Beyond this many views there are only resends, so that a campaign is bounded. */
const MOST_VIEWS = 10_000;
/** Senders that come at the same moment: a group commit of many, or several. */
const CROWD = 260;

export interface Traffic {
  /** Resolves after a time of traffic. */
  flow(milliseconds: number): Promise<void>;
  /** Sends many batches at the same moment. Resolves when all were answered, or their connections broke. */
  crowd(): Promise<void>;
  /** Resolves when so many more views are acknowledged. */
  acknowledged(more: number): Promise<void>;
  /** Resolves when no request is under way any more. */
  stop(): Promise<void>;
  /** Starts the senders, also after a stop. */
  start(): void;
}

export interface TrafficOptions {
  readers: Readers;
  random: Random;
  server: () => { url: string };
}

export function createTraffic({ readers, random, server }: TrafficOptions): Traffic {
  let open = false;
  let senders: Promise<unknown> = Promise.resolve();
  const underWay = new Set<Promise<unknown>>();
  const full = () => readers.acknowledged() + readers.unanswered() >= MOST_VIEWS;

  async function visit(): Promise<void> {
    while (open) {
      const again = full() || readers.unanswered() > MOST_UNANSWERED || random() < RESENT_SHARE;
      const known = again ? await readers.resend(server(), random) : await readers.send(server());
      if (!known || full()) await sleep(PAUSE_MS);
    }
  }

  async function comeAtOnce(): Promise<void> {
    if (!full()) await Promise.all(Array.from({ length: CROWD }, () => readers.send(server())));
  }

  function start(): void {
    open = true;
    senders = Promise.all(Array.from({ length: SENDERS }, visit));
  }

  return {
    start,
    flow: (milliseconds) => sleep(milliseconds),
    crowd() {
      const coming = comeAtOnce().finally(() => underWay.delete(coming));
      underWay.add(coming);
      return coming;
    },
    async acknowledged(more) {
      const enough = readers.acknowledged() + more;
      await until('more views are acknowledged', () => full() || readers.acknowledged() >= enough);
    },
    async stop() {
      open = false;
      await Promise.all([senders, ...underWay]);
    },
  };
}
