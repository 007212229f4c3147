// Why these posts: of each related post the parts of its score and the words it shares with the page, for who has the
// secret.
import { useContext, useState } from 'preact/hooks';
import type { RelatedExplanation, RelatedRecord } from '../../server/contract/wire.ts';
import { type Asked, ask } from './ask.ts';
import { filtersOf } from './options.ts';
import { ServerRoot } from './serverRoot.ts';
import type { Choice } from './snippet.ts';

type Explained = Pick<RelatedRecord, 'url' | 'title' | 'explain'>;

/** @param post Page the list is for. */
export function Why({ choice, post }: { choice: Choice; post: string }) {
  const root = useContext(ServerRoot);
  const [secret, setSecret] = useState('');
  const [visitor, setVisitor] = useState('');
  const [busy, setBusy] = useState(false);
  const [asked, setAsked] = useState<Asked<Explained[]>>();
  const explain = async (event: Event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setAsked(await ask<Explained[]>(`${root}/v2/related`, toQuestion(choice, { post, secret, visitor })));
    setBusy(false);
  };
  return (
    <section aria-label="Why these posts">
      <h2>Why these posts</h2>
      <p>What each score is made of. It needs the site's secret, which stays on this page and is kept nowhere.</p>
      <form class="ask" onSubmit={explain}>
        <label>
          <span>Secret</span>
          <input
            type="password"
            required
            autocomplete="off"
            value={secret}
            onInput={({ currentTarget }) => setSecret(currentTarget.value)}
          />
        </label>
        <label>
          <span>Visitor id (optional)</span>
          <input type="text" value={visitor} onInput={({ currentTarget }) => setVisitor(currentTarget.value)} />
        </label>
        <button type="submit" aria-disabled={busy}>
          {busy ? 'Asking…' : 'Explain'}
        </button>
      </form>
      <div aria-live="polite">
        {asked?.message && (
          <p class="trouble">
            {asked.message}
            {asked.code === 403 && ': is this the secret that reads, and of this site?'}
          </p>
        )}
        {asked?.data?.length === 0 && <p>No post is related to this page.</p>}
        <ol class="reasons">
          {asked?.data?.map((record) => (
            <Reason key={record.url} {...record} />
          ))}
        </ol>
      </div>
    </section>
  );
}

function Reason({ url, title, explain }: Explained) {
  if (!explain) return null;
  const { terms, relevance } = explain;
  return (
    <li>
      <a href={url} target="_blank" rel="noopener noreferrer">
        {title || url}
      </a>
      <p>{toSum(explain)}</p>
      {relevance && (
        <p>
          Closeness {digits(relevance.closeness)}; less than {digits(relevance.least)} would not be shown.
        </p>
      )}
      {terms.length > 0 && (
        <ul aria-label="In common">
          {terms.map(({ term, share }) => (
            <li key={term} style={{ '--share': `${share * 100}%` }}>
              {term} <small>{Math.round(share * 100)}%</small>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** What the list of the frames asks, with the parameters of an explanation. */
function toQuestion(
  choice: Choice,
  { post, secret, visitor }: { post: string; secret: string; visitor: string },
): string[][] {
  const { site, values } = choice;
  return [
    ['apikey', site],
    ['url', post],
    ['uuid', visitor],
    ['explain', '1'],
    ['secret', secret],
    ['limit', values.limit || '5'],
    ...filtersOf(choice),
  ].filter(([, value]) => value !== '') as string[][];
}

/** Words and readers are added, and the sum is multiplied. */
function toMix(score: number, { words = 0, readers = 0, ...factors }: RelatedExplanation['parts']): string {
  const base = `(words ${digits(words)} + readers ${digits(readers)})`;
  const others = Object.entries(factors).map(([name, value = 1]) => `${name} ${digits(value)}`);
  return `${[base, ...others].join(SIGNS.product)} = ${digits(score)}`;
}

const SIGNS = { product: ' × ', sum: ' + ' } as const;

function toSum({ score, made, parts }: RelatedExplanation): string {
  if (made === 'rule') return 'Pinned by a rule of editors.';
  if (made === 'recent') return 'Nothing is related: what is read now or new is shown.';
  if (made === 'mix') return toMix(score, parts);
  const said = Object.entries(parts).map(([name, value = 1]) => `${name} ${digits(value)}`);
  return `${said.join(SIGNS[made])} = ${digits(score)}`;
}

const digits = (value: number) => String(Number(value.toPrecision(3)));
