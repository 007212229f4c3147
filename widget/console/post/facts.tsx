// What is stored of a post beside what its page said when it was read last. Differences are marked.
import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import type { PostFacts, StoredPostRecord } from '../../../server/contract/wire.ts';
import { failureOf } from '../crawlFailures.ts';
import { toClock, toPublished } from '../figures.ts';
import { TimeZone } from '../siteDay.tsx';

const NAMES: readonly (readonly [field: keyof PostFacts, name: string])[] = [
  ['title', 'Title'],
  ['url', 'Address'],
  ['page_type', 'Type'],
  ['section', 'Section'],
  ['authors', 'Authors'],
  ['tags', 'Tags'],
  ['pub_date', 'Published'],
  ['image_url', 'Picture'],
  ['language', 'Language'],
  ['words', 'Words'],
];

export function Facts({ post, actions }: { post: StoredPostRecord; actions: ComponentChildren }) {
  const { stored, read, sent, aliases, crawl } = post;
  const zone = useContext(TimeZone);
  const written = (facts: PostFacts, field: keyof PostFacts) => inWords(facts, field, zone);
  return (
    <section class="sheet panel metadata" aria-label="Metadata">
      <header>
        <h2>Metadata</h2>
      </header>
      {actions}
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Stored</th>
            <th scope="col">On its page</th>
          </tr>
        </thead>
        <tbody>
          {NAMES.map(([field, name]) => {
            const differs = read !== null && written(stored, field) !== written(read, field);
            return (
              <tr key={field} data-key={field} class={differs ? 'differs' : ''}>
                <th scope="row">{name}</th>
                <td>
                  <Value text={written(stored, field)} />
                  {sent.includes(field) && <small>sent by the publisher, which stands</small>}
                </td>
                <td>
                  {read && <Value text={written(read, field)} />}
                  {differs && <small class="mark-differs">differs</small>}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p class="hint">{sentenceOf(crawl, read !== null, zone)}</p>
      {aliases.length > 0 && (
        <details>
          <summary>{aliases.length === 1 ? 'One other address' : `${aliases.length} other addresses`}</summary>
          <ul>
            {aliases.map((alias) => (
              <li key={alias} class="address">
                <bdi>{alias}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

const Value = ({ text }: { text: string }) => (text === '' ? <span class="soft">none</span> : <bdi>{text}</bdi>);

function inWords(facts: PostFacts, field: keyof PostFacts, zone: string): string {
  const value = facts[field];
  if (field === 'pub_date') return value === '' ? '' : toPublished(String(value), zone);
  if (field === 'words') return value === 0 ? '' : String(value);
  return Array.isArray(value) ? value.join(', ') : String(value);
}

function sentenceOf(crawl: StoredPostRecord['crawl'], isKnown: boolean, zone: string): string {
  if (crawl === null) return 'The crawler has not met its page: what is stored was sent.';
  const last = crawl.read === null ? 'Its page was never read.' : `Its page was read on ${toClock(crawl.read, zone)}.`;
  const what = crawl.read !== null && !isKnown ? ' What it said then was not kept; read it again.' : '';
  const failed = crawl.failure === '' ? '' : ` The last attempt failed: ${failureOf(crawl.failure)}`;
  return last + what + failed;
}
