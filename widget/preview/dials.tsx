// What the dials of related posts do: a slider for each, and the list of the page beside them, which changes while they
// are moved.
import { useEffect, useState } from 'preact/hooks';
import { DIALS, type DialName, type Dials } from '../../server/contract/dials.ts';
import type { RelatedRecord } from '../../server/contract/wire.ts';
import { type Asked, ask } from './ask.ts';
import { filtersOf } from './options.ts';
import type { Choice } from './snippet.ts';

type Listed = Pick<RelatedRecord, 'url' | 'title' | 'section' | 'pub_date'>;

/** Where all sliders stand at first: the list of the page alone. */
const AT_REST: Dials = { mix: 0, freshness: 0, diversity: 0, popularity: 0 };
const POSTS = '10';
/** A slider that is moved is asked for when it rests so long. */
const SETTLE_MS = 120;

/** @param post Page the list is for. */
export function DialSliders({ choice, post }: { choice: Choice; post: string }) {
  const [dials, setDials] = useState(AT_REST);
  const before = useList({ choice, post, dials: AT_REST });
  const { data = [], message } = useList({ choice, post, dials }) ?? {};
  const said = DIALS.filter(({ name }) => dials[name] !== AT_REST[name]);
  return (
    <section aria-label="Dials" class="dials">
      <h2>Dials</h2>
      <p>What the list of this page becomes. At the left of all four, its words alone decide.</p>
      <div>
        <form onSubmit={(event) => event.preventDefault()}>
          {DIALS.map((dial) => (
            <Slider
              key={dial.name}
              {...dial}
              value={dials[dial.name]}
              onInput={(value) => setDials({ ...dials, [dial.name]: value })}
            />
          ))}
          {said.length > 0 && (
            <code>
              afterword site change {choice.site || '<site-id>'}{' '}
              {said.map(({ name }) => `--${name} ${dials[name]}`).join(' ')}
            </code>
          )}
        </form>
        <div aria-live="polite">
          {message && <p class="trouble">{message}</p>}
          <ol>
            {data.map((record, at) => (
              <Post key={record.url} {...record} moved={movedOf(before?.data, { url: record.url, at })} />
            ))}
          </ol>
        </div>
      </div>
    </section>
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

function Post({ url, title, section, pub_date: date, moved }: Listed & { moved: string }) {
  return (
    <li>
      <a href={url} target="_blank" rel="noopener noreferrer">
        {title || url}
      </a>
      <small>{[section, date.slice(0, 10), moved].filter(Boolean).join(' · ')}</small>
    </li>
  );
}

/** Where the post stands in the list of the page alone. */
function movedOf(before: readonly Listed[] | undefined, { url, at }: { url: string; at: number }): string {
  const place = before?.findIndex((one) => one.url === url) ?? at;
  if (place === at) return '';
  return place < 0 ? 'new' : `was ${place + 1}`;
}

function useList({ choice, post, dials }: { choice: Choice; post: string; dials: Dials }) {
  const [list, setList] = useState<Asked<Listed[]>>();
  const { site } = choice;
  const question = JSON.stringify([
    ['apikey', site],
    ['url', post],
    ['limit', POSTS],
    ...filtersOf(choice),
    ...DIALS.map(({ name }) => [name, String(dials[name])]),
  ]);
  useEffect(() => {
    let current = site !== '' && post !== '';
    const timer = setTimeout(async () => {
      if (!current) return;
      const answer = await ask<Listed[]>('/v2/related', JSON.parse(question));
      if (current) setList(answer);
    }, SETTLE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [question]);
  return list;
}
