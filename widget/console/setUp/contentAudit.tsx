// The content audit: missing metadata, orphan posts, crawl failures. Titles and addresses come from outside: they are
// text.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { AuditedPost, ContentAuditRecord, CrawlFailuresRecord } from '../../../server/contract/contentAudit.ts';
import { type Asked, act } from '../ask.ts';
import { PageLink, PostTitle } from '../choiceLink.tsx';
import { toClock, toFigure } from '../figures.ts';
import type { Session } from '../session.ts';
import { Empty, Failed, Ghost } from '../states.tsx';
import { takeFocus } from '../takeFocus.ts';
import { useAnswer } from '../useAnswer.ts';
import { WaitingButton } from '../waitingButton.tsx';
import { GONE, LACKING, orphansOf, unreadOf } from './auditWords.ts';
import type { Remedy } from './words.ts';

export function ContentAudit({ session }: { session: Session }) {
  const { body, message, retry } = useAnswer<{ data: [ContentAuditRecord] }>('/v2/analytics/setup/posts', []);
  const record = body?.data[0];
  return (
    <section class="sheet panel faults" aria-label="Posts that need care">
      <header>
        <h2>Posts that need care</h2>
        <button type="button" class="plain" onClick={retry}>
          Look again
        </button>
      </header>
      {message !== '' && <Failed message={message} retry={retry} />}
      {message === '' && record === undefined && <Ghost rows={5} />}
      {message === '' && record && <Faults record={record} session={session} />}
    </section>
  );
}

function Faults({ record, session }: { record: ContentAuditRecord; session: Session }) {
  const { posts, orphans, gone, crawl_failures } = record;
  const lacking = record.lacking.filter(({ count }) => count > 0);
  return (
    <>
      {posts === 0 && <Empty>No post is known yet. A page is read some seconds after its first view.</Empty>}
      {posts > 0 && lacking.length === 0 && orphans.count === 0 && (
        <p class="hint">
          Each of the {toFigure(posts)} posts has a picture, a date and a section, and something leads to it.
        </p>
      )}
      {lacking.map(({ field, count, posts: newest }) => (
        <Fault key={field} name={field} remedy={LACKING[field]} count={count} of={posts}>
          <Posts posts={newest} count={count} />
        </Fault>
      ))}
      {orphans.count > 0 && (
        <Fault name="orphans" remedy={orphansOf(orphans.days)} count={orphans.count} of={posts}>
          <Posts posts={orphans.posts} count={orphans.count} />
        </Fault>
      )}
      {gone.count > 0 && (
        <Fault name="gone-posts" remedy={GONE} count={gone.count}>
          <Posts posts={gone.posts} count={gone.count} />
        </Fault>
      )}
      <h3>Pages that could not be read</h3>
      {crawl_failures.length === 0 && <Empty>There is none.</Empty>}
      {crawl_failures.map((pages) => (
        <Fault
          key={pages.failure}
          name={pages.failure}
          remedy={unreadOf(pages.failure, session.site)}
          count={pages.count}
        >
          <Pages {...pages} session={session} />
        </Fault>
      ))}
    </>
  );
}

interface FaultProps {
  name: string;
  remedy: Remedy;
  count: number;
  /** Posts in all. */
  of?: number;
  children: ComponentChildren;
}

const Fault = ({ name, remedy, count, of, children }: FaultProps) => (
  <details data-key={name}>
    <summary>
      <span>{remedy.name}</span>
      <span class="count">
        <b data-value={count}>{toFigure(count)}</b>
        {of !== undefined && <small class="soft"> of {toFigure(of)}</small>}
      </span>
    </summary>
    <p class="remedy">{remedy.says}</p>
    {children}
  </details>
);

const Posts = ({ posts, count }: { posts: readonly AuditedPost[]; count: number }) => (
  <>
    <ul>
      {posts.map(({ url, title }) => (
        <li key={url}>
          <PostTitle title={title} url={url} />
        </li>
      ))}
    </ul>
    {count > posts.length && <p class="hint">The newest {toFigure(posts.length)}.</p>}
  </>
);

const Pages = ({ pages, count, session }: CrawlFailuresRecord & { session: Session }) => (
  <>
    <ul>
      {pages.map(({ url, tried, again }) => (
        <li key={url}>
          <span>
            <bdi>{url}</bdi>
            <PageLink url={url} of={url} />
            <small class="soft">
              {toClock(tried, session.timezone)}
              {again && ', it is tried again'}
            </small>
          </span>
          {session.role === 'act' && <ReadAgain url={url} session={session} />}
        </li>
      ))}
    </ul>
    {count > pages.length && <p class="hint">The last {toFigure(pages.length)} to fail.</p>}
  </>
);

function ReadAgain({ url, session }: { url: string; session: Session }) {
  const [asked, setAsked] = useState<Asked<object>>();
  const [isBusy, setBusy] = useState(false);
  const ask = async () => {
    setBusy(true);
    setAsked(await act<object>(session.token, '/v2/crawl', undefined, [['url', url]]));
    setBusy(false);
  };
  const isDone = asked?.body !== undefined;
  return (
    <>
      <span role="status">
        {isDone && (
          <span ref={takeFocus} tabIndex={-1}>
            Asked for: it is read next.
          </span>
        )}
      </span>
      {!isDone && (
        <WaitingButton type="button" class="plain" isBusy={isBusy} onClick={() => void ask()}>
          Read again<span class="hidden"> {url}</span>
        </WaitingButton>
      )}
      {asked && !isDone && (
        <span role="alert" class="trouble">
          {asked.message}
        </span>
      )}
    </>
  );
}
