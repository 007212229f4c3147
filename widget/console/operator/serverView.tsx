// The state of the server, and what is wrong with it.
import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import type { ServerFinding, ServerRecord } from '../../../server/contract/operator.ts';
import { toFigure, toMinute } from '../figures.ts';
import { useLive } from '../now/useLive.ts';
import { Failed, Ghost, Stale } from '../states.tsx';
import { SessionEnded } from '../useAnswer.ts';
import { toAgo, toBytes } from './words.ts';

export function ServerView() {
  const ended = useContext(SessionEnded);
  const { body, message, pause, retry } = useLive<{ data: ServerRecord }>('operator/server', [], ended);
  const record = body?.data;
  return (
    <main id="figures" class="operator" tabIndex={-1}>
      <h1>
        Server <small>{record && `Afterword ${record.version}, Node ${record.node}`}</small>
      </h1>
      {message !== '' && record !== undefined && <Stale message={message} pause={pause} retry={retry} />}
      <section class="sheet panel" aria-label="What is wrong">
        <header>
          <h2>What is wrong</h2>
          <span class="soft updated">{record && `${toMinute(record.now)} UTC`}</span>
        </header>
        {record === undefined && (message === '' ? <Ghost rows={5} /> : <Failed message={message} retry={retry} />)}
        {record && <Findings record={record} />}
      </section>
      {record && <Figures record={record} />}
    </main>
  );
}

function Findings({ record: { findings, problems, events } }: { record: ServerRecord }) {
  const wrong = findings.filter(({ state }) => state !== 'ok');
  const well = findings.filter(({ state }) => state === 'ok');
  const isWell = wrong.length === 0 && problems.length === 0;
  const is = events === 'refused' || wrong.some(({ state }) => state === 'problem') ? 'refused' : 'quiet';
  return (
    <>
      <p class={`verdict ${isWell ? 'works' : is}`} role="status">
        {isWell ? 'Nothing that is looked at is wrong.' : countOf(wrong, problems)}
      </p>
      {problems.map((says) => (
        <Finding key={says} about="now" state="problem" says={says} />
      ))}
      {wrong.map((finding) => (
        <Finding key={finding.about + finding.says} {...finding} />
      ))}
      <details>
        <summary>
          {toFigure(well.length)} {well.length === 1 ? 'check' : 'checks'} without a finding
        </summary>
        {well.map((finding) => (
          <Finding key={finding.about + finding.says} {...finding} />
        ))}
      </details>
      <p class="hint">
        As “afterword doctor” prints it on the machine of the server. With the address of a page it looks at that page,
        with --checksums at the whole database.
      </p>
    </>
  );
}

function countOf(wrong: readonly ServerFinding[], problems: readonly string[]): string {
  const worst = problems.length + wrong.filter(({ state }) => state === 'problem').length;
  const others = wrong.filter(({ state }) => state === 'warning').length;
  const words = [
    ...(worst > 0 ? [`${worst} ${worst === 1 ? 'problem' : 'problems'}`] : []),
    ...(others > 0 ? [`${others} ${others === 1 ? 'warning' : 'warnings'}`] : []),
  ];
  return `${words.join(' and ')}: below each stands what to do.`;
}

const Finding = ({ about, state, says, remedy }: ServerFinding) => (
  <div class={`finding ${state}`} data-key={about}>
    <span class="about">
      {about}
      {state !== 'ok' && <b>{state}</b>}
    </span>
    <p>
      {says}
      {remedy !== undefined && <span class="remedy">{remedy}</span>}
    </p>
  </div>
);

const EVENTS = {
  stored: 'are stored',
  spooled: 'wait on this machine until the database is back',
  refused: 'are refused',
} as const;

const LISTS = {
  database: 'come from the database',
  memory: 'are the last good ones, from memory',
  none: 'are not answered',
} as const;

function Figures({ record }: { record: ServerRecord }) {
  const { queue, database, indexes, now } = record;
  return (
    <div class="tiles">
      <Tile title="Events">
        <Row name="Events">{EVENTS[record.events]}</Row>
        <Row name="Lists">{LISTS[record.reads]}</Row>
        <Row name="Senders wait for">{toFigure(queue.waiting)} events</Row>
        <Row name="In the write-ahead log">
          {toFigure(queue.events)} events, {toBytes(queue.bytes)}
        </Row>
        <Row name="The oldest waits">{queue.events === 0 ? 'none' : `${toFigure(queue.seconds)} s`}</Row>
        <Row name="Room of the log">{queue.room === 0 ? 'none' : toBytes(queue.room)}</Row>
      </Tile>
      <Tile title="Database">
        <Row name="Engine">{record.inside ? 'ClickHouse, inside the server' : 'ClickHouse servers'}</Row>
        {database === null ? (
          <Row name="State">does not answer</Row>
        ) : (
          <>
            <Row name="On the disk">{toBytes(database.bytes)}</Row>
            <Row name="Rows">{toFigure(database.rows)}</Row>
            <Row name="Parts">{toFigure(database.parts)}</Row>
          </>
        )}
      </Tile>
      <Tile title="Machine">
        <Row name="Free for the data folder">{record.free === null ? 'unknown' : toBytes(record.free)}</Row>
        <Row name="Last backup">{record.last_backup === null ? 'none is known' : toAgo(record.last_backup, now)}</Row>
        <Row name="Server started">{toAgo(record.started, now)}</Row>
        <Row name="Memory of the server">{toBytes(record.memory)}</Row>
      </Tile>
      <Tile title="Indexes in memory">
        <Row name="Sites">{toFigure(indexes.sites)}</Row>
        <Row name="Posts">{toFigure(indexes.posts)}</Row>
        <Row name="Memory">
          {toBytes(indexes.bytes)} of {toBytes(indexes.limit)}
        </Row>
        <Row name="Loading, and waiting for a slot">
          {toFigure(indexes.loading)}, {toFigure(indexes.waiting)}
        </Row>
        <Row name="Left for want of memory">{toFigure(indexes.evictions)}</Row>
        <Row name="What readers read next">{toBytes(indexes.readers)}</Row>
      </Tile>
    </div>
  );
}

const Tile = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="sheet panel" aria-label={title}>
    <header>
      <h2>{title}</h2>
    </header>
    <dl>{children}</dl>
  </section>
);

const Row = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
