// Rules of editors: what stands in related lists whatever ranking finds, and what is left out of them.
import pLimit from 'p-limit';
import { useRef, useState } from 'preact/hooks';
import { conditionsOf, hiddenBy, type RuleRecord, type RuleSetRecord } from '../../../server/contract/rules.ts';
import { PostLink } from '../choiceLink.tsx';
import { toClock } from '../figures.ts';
import { changeRules, isSame, RULES, type RuleSets } from '../rules.ts';
import { isSecondClick } from '../secondClick.ts';
import type { Session } from '../session.ts';
import { Empty, Failed, Ghost } from '../states.tsx';
import { focusHeading } from '../takeFocus.ts';
import { useAnswer } from '../useAnswer.ts';
import { WithoutPosts } from '../withoutPosts.tsx';

export function Rules({ session }: { session: Session }) {
  const { body, isLoading, message, retry } = useAnswer<RuleSets>(RULES, []);
  const [inTurn] = useState(() => pLimit(1));
  const heading = useRef<HTMLHeadingElement>(null);
  const [says, setSays] = useState('');
  const [trouble, setTrouble] = useState('');
  const remove = async (set: RuleSetRecord, removed: RuleRecord) => {
    setSays('');
    const { message: failed } = await inTurn(() =>
      changeRules(session, set.name, (rules) => rules.filter((rule) => !isSame(rule, removed))),
    );
    setTrouble(failed);
    setSays(failed === '' ? 'Removed: related lists are without this rule within a minute.' : '');
    if (failed !== '') return;
    focusHeading(heading.current);
    retry();
  };
  return (
    <section class="sheet rules" aria-label="Rules of editors" aria-busy={isLoading}>
      <header>
        <h2 ref={heading} tabIndex={-1}>
          Rules of editors
        </h2>
      </header>
      {message !== '' && <Failed message={message} retry={retry} />}
      {message === '' && body === undefined && <Ghost rows={2} />}
      {message === '' && body?.data.length === 0 && (
        <Empty>No rule yet: a post is pinned in related lists from its own view.</Empty>
      )}
      {body?.data.map((set) => (
        <article key={set.name} aria-label={`Rules ${set.name}`}>
          <h3>
            <bdi>{set.name}</bdi>{' '}
            <small class="soft">
              {set.always ? 'in every related list' : 'in lists that name it, such as those of an experiment'}
            </small>
          </h3>
          <ol>
            {set.rules.map((rule, at) => (
              <li key={at}>
                <span>
                  <RuleWords rule={rule} />{' '}
                  <span class="soft">{conditionsOf(rule, (time) => toClock(time, session.timezone))}</span>
                </span>
                <span class={`state-of ${rule.state === 'in force' ? 'running' : 'stopped'}`}>{rule.state}</span>
                {session.role === 'act' && (
                  <button
                    type="button"
                    class="plain"
                    onClick={(event) => isSecondClick(event) || void remove(set, rule)}
                  >
                    Remove
                    <span class="hidden">
                      {' '}
                      rule {at + 1} of {set.name}
                    </span>
                  </button>
                )}
                <WithoutPosts rule={rule} />
              </li>
            ))}
          </ol>
        </article>
      ))}
      <p role="status">{says}</p>
      {trouble !== '' && (
        <p class="trouble" role="alert">
          {trouble}
        </p>
      )}
    </section>
  );
}

function RuleWords({ rule }: { rule: RuleRecord }) {
  const hidden = hiddenBy(rule);
  if (hidden)
    return (
      <>
        Hides {hidden.by === 'url' ? 'the post' : hidden.by}{' '}
        {hidden.by === 'url' ? <Post url={hidden.value} /> : <bdi>{hidden.value}</bdi>}
      </>
    );
  return (
    <>
      Pins <Post url={rule.pin ?? ''} /> to position {rule.position}
    </>
  );
}

const Post = ({ url }: { url: string }) => (
  <PostLink url={url}>
    <bdi>{url}</bdi>
  </PostLink>
);
