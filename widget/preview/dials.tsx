// What the dials of related posts do: a slider for each, and the list of the page beside them, which changes while they
// are moved. Of the preview and of the console.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { DIALS, type DialName, type Dials } from '../../server/contract/dials.ts';
import type { RelatedRecord } from '../../server/contract/wire.ts';
import type { Asked } from './ask.ts';

type Listed = Pick<RelatedRecord, 'url' | 'title' | 'section' | 'pub_date'>;

/** The list of the page alone. */
const AT_REST: Dials = { mix: 0, freshness: 0, diversity: 0, popularity: 0 };
const POSTS = '10';
/** A slider that is moved is asked for when it rests so long. */
const SETTLE_MS = 120;

type Question = readonly (readonly [name: string, value: string])[];

interface Props {
  /** Asks /v2/related. */
  ask: (params: Question) => Promise<Asked<Listed[]>>;
  /** Which list, but for the dials. Empty: there is none yet. */
  question: Question;
  /** The list is asked for again where it changes. Default: never. */
  refreshes?: number;
  /** Where the sliders stand at first. Default: at the left. */
  initial?: Dials;
  /** What stands between the sliders and the list. @param move Moves a slider. Default: nothing. */
  beside?: (dials: Dials, move: (name: DialName, value: number) => void) => ComponentChildren;
  /** What stands below the sliders. */
  children: (dials: Dials) => ComponentChildren;
}

export function DialSliders({ ask, question, refreshes = 0, initial = AT_REST, beside, children }: Props) {
  const [dials, setDials] = useState(initial);
  const move = (name: DialName, value: number) => setDials((before) => ({ ...before, [name]: value }));
  const of = { ask, question, refreshes };
  const before = useList(of, AT_REST);
  const { data = [], message } = useList(of, dials) ?? {};
  return (
    <div class="dials">
      <p>What the list of this page becomes. At the left of all four, its words alone decide.</p>
      <div>
        <form onSubmit={(event) => event.preventDefault()}>
          {DIALS.map((dial) => (
            <Slider key={dial.name} {...dial} value={dials[dial.name]} onInput={(value) => move(dial.name, value)} />
          ))}
          {children(dials)}
        </form>
        {beside?.(dials, move)}
        <div aria-live="polite">
          {message && <p class="trouble">{message}</p>}
          <ol>
            {data.map((record, at) => (
              <Post key={record.url} {...record} moved={movedOf(before?.data, { url: record.url, at })} />
            ))}
          </ol>
        </div>
      </div>
    </div>
  );
}

/** The command that gives a site these dials. */
export function DialCommand({ site, dials }: { site: string; dials: Dials }) {
  const said = DIALS.filter(({ name }) => dials[name] !== AT_REST[name]);
  if (said.length === 0) return null;
  return (
    <code>
      afterword site change {site || '<site-id>'} {said.map(({ name }) => `--${name} ${dials[name]}`).join(' ')}
    </code>
  );
}

interface SliderProps {
  name: DialName;
  label: string;
  sentence: string;
  value: number;
  onInput(value: number): void;
}

function Slider({ name, label, sentence, value, onInput }: SliderProps) {
  return (
    <label>
      <span class="dial-name">
        {label} <b>{value}</b>
      </span>
      <input
        type="range"
        name={name}
        min="0"
        max="1"
        step="0.05"
        value={value}
        aria-describedby={`dial-${name}`}
        onInput={({ currentTarget }) => onInput(Number(currentTarget.value))}
      />
      <small id={`dial-${name}`}>{sentence}</small>
    </label>
  );
}

/** A title and a section may be written from right to left: what follows them is not. */
function Post({ url, title, section, pub_date: date, moved }: Listed & { moved: string }) {
  const others = [date.slice(0, 10), moved].filter(Boolean).join(' · ');
  return (
    <li>
      <a href={url} target="_blank" rel="noopener noreferrer">
        <bdi>{title || url}</bdi>
      </a>
      <small>
        <bdi>{section}</bdi>
        {section && others && ' · '}
        {others}
      </small>
    </li>
  );
}

/** Where the post stands in the list of the page alone. */
function movedOf(before: readonly Listed[] | undefined, { url, at }: { url: string; at: number }): string {
  const place = before?.findIndex((one) => one.url === url) ?? at;
  if (place === at) return '';
  return place < 0 ? 'new' : `was ${place + 1}`;
}

type Of = Required<Pick<Props, 'ask' | 'question' | 'refreshes'>>;

function useList({ ask, question, refreshes }: Of, dials: Dials) {
  const [list, setList] = useState<Asked<Listed[]>>();
  const asked = [
    ...question,
    ['limit', POSTS] as const,
    ...DIALS.map(({ name }) => [name, String(dials[name])] as const),
  ];
  useEffect(() => {
    let current = question.length > 0;
    const timer = setTimeout(async () => {
      if (!current) return;
      const answer = await ask(asked);
      if (current) setList(answer);
    }, SETTLE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [JSON.stringify(asked), refreshes]);
  return list;
}
