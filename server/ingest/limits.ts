// All limits of the ingest. Those that an operator may set name their option; `settings.md` has its bounds.
import { MAX_BATCH_EVENTS } from '../contract/limits.ts';

export const INGEST_LIMITS = {
  /** Events of one batch; beyond it 422, and of an app's batch the rest is dropped. `--max-batch`. */
  eventsPerBatch: MAX_BATCH_EVENTS,
  /** Bytes of a body that cost its sender as much of its rate as one event: several times the size of a usual one. */
  bytesPerEvent: 4_096,
  /** Events from one /24 or /48 of addresses; beyond it 429. Private networks are not limited. `--address-rate`. */
  perPrefix: { perSecond: 200, burst: 10_000 },
  /** Characters of a text field, and of a URL before tracking parameters are removed; longer ones count as absent. */
  lengths: { text: 512, url: 8_192 },
  /** Levels of objects and lists within `data` and `metadata`: trackers need three. */
  eventDepth: 10,

  /**
   * Events of a turn of the event loop, about 12 ms: with fewer, a thousand connections cost more than their events.
   */
  eventsPerTurn: 1_000,
  /** Events of a turn in which a connection came: the system hands over one a turn, and others may wait behind it. */
  eventsPerShortTurn: 50,
  /** Milliseconds after a refusal for which `/readyz` reports that events are refused. */
  refusingMs: 10_000,

  /** Parsed page addresses and referrers, and user agents, remembered for the events that name them again. */
  parsedPages: 40_000,
  parsedReferrers: 20_000,
  parsedAgents: 20_000,
  /** Pages that views named in place of their own address, remembered for their readers' later events there. */
  declaredPages: 50_000,

  /** Keys in the deduplication window: at least so many, at most twice. An event beyond it counts again. */
  recentKeys: 250_000,

  /** New URLs of pages, of videos and of referring pages a site may bring in an hour, of each so many. `--new-urls`. */
  urlsPerHour: 10_000,
  /**
   * New referrers, campaign values, segments and conversion labels a site may bring in an hour, and as many names of
   * lists. `--new-labels`.
   */
  labelsPerHour: 2_000,
  /**
   * Names remembered over all sites; the one unseen for longest is forgotten, and counts as new when it comes again.
   */
  knownPages: 300_000,
  knownVideos: 100_000,
  knownReferringPages: 100_000,
  knownLabels: 50_000,
  knownListNames: 20_000,
  /** Names of stored events and lists that are known after a start, of each kind: far fewer than are remembered. */
  recentNames: { pages: 100_000, videos: 50_000, labels: 25_000, conversionLabels: 10_000, listNames: 10_000 },

  /** Events in memory whose senders are not answered yet; beyond it 503. */
  unsyncedEvents: 100_000,
  /**
   * Senders of a group after which the next one gathers for `gatherMs`: an fsync for a few would be most of the work.
   */
  gatherSenders: 50,
  gatherMs: 10,
  /** Bytes of the write-ahead log, some six million events; beyond it 503. `--max-spool`. */
  logBytes: 2 ** 30,
  /** Events and bytes of one file of the log: an insert holds its text in memory, several times. */
  fileEvents: 100_000,
  fileBytes: 32 * 1024 * 1024,

  /** Duration of an insert after which the engine counts as away, in milliseconds. */
  deadlineMs: 5_000,
  /** First and longest pause between attempts while the engine or a file of the log fails, in milliseconds. */
  retryMs: [250, 5_000],
  /**
   * Between the starts of two small inserts, in milliseconds. One of a single event takes a tenth of a second of
   * processor time and more, for a part of each roll-up and their merges. The tables follow within a second.
   */
  intervalMs: 600,
  /** The same without a log, where each sender waits for the insert. */
  directIntervalMs: 250,
  /** Events of a large insert, before and after which no pause is due. */
  largeInsert: 10_000,
  /** Batches a second above which the traffic is busy, and the pauses between inserts are longer. */
  busyBatches: 1_000,
  /** Shortest pause after an insert while the traffic is busy, in milliseconds; it lasts as long as the insert did. */
  busyRestMs: 1_000,
  /** Events in the log above which there is no such pause: the tables are about ten seconds behind at most. */
  waitingEvents: 1_000_000,
  /** How long a start waits for the files of an earlier process, and an end for its own inserts, in milliseconds. */
  catchUpMs: 15_000,
  /** How long a pause of the replay waits for the insert under way, in milliseconds. */
  pauseMs: 60_000,
  /** Between the two refusals after which a row becomes a dead letter, in milliseconds. */
  secondTryMs: 1_000,
  /** Refusals of one insert, halves included, after which what is left of it is refused as it is. */
  refusals: 200,
  /** Between two log lines about the same failure, in milliseconds. */
  logAgainMs: 5_000,
} as const;
