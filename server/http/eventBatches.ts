// Batches of events: their formats, and their answers. Handled by node:http directly, since they are the most frequent
// requests: through the framework a batch of one event takes 1.55 times the processor time, one of ten 1.25 times. The
// routes of api/doors.ts take what is left, preflights and encoded bodies, by the same function.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Deps } from '../context.ts';
import { MAX_BATCH_EVENTS } from '../contract/limits.ts';
import { readBatch, readMobileBatch } from '../ingest/readBeacon.ts';
import { RefusedError } from '../ingest/refusedError.ts';
import type { IngestReport, Sender } from '../ingest/types.ts';
import { parseUrl } from '../posts/parseUrl.ts';
import type { FirstAnswer } from './endpoint.ts';
import { EVENT_HEADERS, type From, type Taking } from './eventSenders.ts';
import type { Beginning } from './readBody.ts';
import { whenRead } from './readIncoming.ts';
import { requestIdIn } from './requestId.ts';

/** A format of batches. */
export interface Batches {
  read(body: string, isCut: boolean): readonly unknown[];
  sendsFor: Sender['sendsFor'];
  /** Whether the beginning of an oversized body is accepted: apps retry a refused batch indefinitely. */
  cuts: boolean;
  /**
   * Whether the answer reports events dropped because of their host: the widget prints the report in the console of the
   * page.
   */
  reports: boolean;
}

export const WIDGET_BATCHES: Batches = { read: readBatch, sendsFor: undefined, cuts: false, reports: true };
export const APP_BATCHES: Batches = { read: readMobileBatch, sendsFor: 'app users', cuts: true, reports: false };

/**
 * Takes a batch, without a reference to its body or its events while the answer waits.
 * @throws {RefusedError} when the sender's rate is used up.
 */
export function takeBatch(
  { ingest, taking }: Pick<Deps, 'ingest'> & { taking: Taking },
  { read, sendsFor }: Batches,
  from: From,
  { text, beyond }: Beginning,
): Promise<IngestReport> {
  const sender = taking.senderOf(from, sendsFor);
  sender.reserved = ingest.reserve(sender, text.length);
  const events = read(text, beyond > 0);
  if (beyond > 0) sender.unread = unreadOf(beyond, text.length / events.length);
  return ingest.accept(events, sender);
}

/**
 * Estimated number of events in the unread rest of a body, from the mean length of the others: at least one, which was
 * truncated.
 */
const unreadOf = (bytes: number, perEvent: number): number =>
  Math.min(MAX_BATCH_EVENTS, Math.max(1, Math.round(bytes / Math.max(1, perEvent))));

/** The answer to an accepted batch. Its message is for the console of the page; the hosts come from the browser. */
export function answerTo({ reports }: Batches, { dropped, foreignHost }: IngestReport, referer = ''): object {
  const foreign = dropped['foreign-host'];
  if (!reports || !foreign) return { success: true };
  return {
    success: true,
    dropped: { 'foreign-host': foreign },
    message: `afterword: ${whyForeign(foreignHost, referer)}`,
  };
}

function whyForeign(named: string | undefined, referer: string): string {
  const sender = parseUrl(referer);
  const addHost = (host: string) => `afterword site change <site-id> --domain ${host}`;
  // The page is on a host of its own, and its canonical link or `data-url` on another one.
  if (sender && named !== undefined && sender.hostname !== named)
    return `the address that this page gives as its own is on ${named}, which is no host of the site that the tag names, so its page views are not counted. Give the address on this site, as data-url of the tag, or add the host: ${addHost(named)}`;
  const host = sender?.host ?? '<host>';
  return `${host} is no host of the site that the tag names, so its page views are not counted. Add it: ${addHost(host)}`;
}

const TAKEN = JSON.stringify({ success: true });
const TAKEN_HEADERS = { ...EVENT_HEADERS, 'Content-Type': 'application/json', 'Content-Length': TAKEN.length };

/** @param formats By path. */
export function batchListener(
  parts: Pick<Deps, 'ingest'> & { taking: Taking },
  formats: ReadonlyMap<string, Batches>,
): FirstAnswer {
  const { refuse, refusals, maxBatchBytes } = parts.taking;

  function fail(response: ServerResponse, error: unknown): void {
    refusals.unanswered(error);
    response.destroy();
  }

  return (request, response) => {
    const batches = formats.get(request.url ?? '');
    if (batches === undefined || request.headers['content-encoding'] !== undefined) return false;
    const taken = (report: IngestReport) => {
      if (report.dropped['foreign-host']) {
        const said = answerTo(batches, report, refererIn(request.headers));
        return hand(response, Response.json(said, { headers: EVENT_HEADERS }));
      }
      response.writeHead(200, TAKEN_HEADERS);
      response.end(TAKEN);
      return undefined;
    };
    const refused = (error: unknown) => hand(response, refuse(error, requestIdIn(request)));
    const failed = (error: unknown) => fail(response, error);
    whenRead(request, { max: maxBatchBytes, cuts: batches.cuts }, (text, beyond) => {
      try {
        if (text === undefined) hand(response, refusals.tooLarge(maxBatchBytes)).catch(failed);
        else takeBatch(parts, batches, fromOf(request), { text, beyond }).then(taken, refused).catch(failed);
      } catch (error) {
        if (error instanceof RefusedError) refused(error).catch(failed);
        else failed(error);
      }
    });
    return true;
  };
}

const fromOf = ({ headers, socket }: IncomingMessage): From => ({
  peer: socket.remoteAddress,
  forwarded: headers['x-forwarded-for'] as string | undefined,
  userAgent: headers['user-agent'],
  referer: refererIn(headers),
});

const refererIn = ({ referer, origin }: IncomingMessage['headers']): string | undefined => referer ?? origin;

async function hand(response: ServerResponse, answer: Response): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), 'Content-Length': body.length });
  response.end(body);
}
