// What a post is called, who wrote it, and where it is. Names lead to the traffic of all posts that have them.
import type { StoredPostRecord } from '../../../server/contract/wire.ts';
import type { FilterName } from '../choice.ts';
import { ChoiceLink } from '../choiceLink.tsx';
import { FirstOfMany } from '../firstOfMany.tsx';
import { placeOf } from '../place.ts';
import { SiteDay } from '../siteDay.tsx';

/** Of authors and of tags, on a phone a line each. */
const FEW = 6;

export function Head({ post: { stored, hidden, gone, thumbnail } }: { post: StoredPostRecord }) {
  const { url, title, section, authors, tags, pub_date } = stored;
  const factsOf = (name: FilterName, values: readonly string[]) =>
    values.map((value) => (
      <ChoiceLink
        key={`${name} ${value}`}
        class={`fact ${name}`}
        change={{ view: 'traffic', filters: { [name]: value } }}
      >
        <bdi>{value}</bdi>
      </ChoiceLink>
    ));
  return (
    <header class="head">
      {thumbnail !== '' && <Picture path={thumbnail} />}
      <div>
        <h1>
          <bdi>{title || url}</bdi>
          {hidden && <span class="badge">Hidden</span>}
          {gone !== null && <span class="badge">Gone</span>}
        </h1>
        <p class="facts">
          {pub_date === '' ? <span>Without a date</span> : <SiteDay of={pub_date} />}
          {section !== '' && factsOf('section', [section])}
          <FirstOfMany all={factsOf('author', authors)} most={FEW} of="authors" />
          <FirstOfMany all={factsOf('tag', tags)} most={FEW} of="tags" />
        </p>
        <p class="address">
          {/^https?:\/\//i.test(url) ? (
            <a href={url} target="_blank" rel="noopener noreferrer">
              <bdi>{url}</bdi> <i aria-hidden="true">↗</i>
            </a>
          ) : (
            <bdi>{url}</bdi>
          )}
        </p>
        {hidden && (
          <p class="warned">
            This post is hidden: no list shows it and no figure counts it, so those below are 0 until it is shown again.
          </p>
        )}
        {gone !== null && (
          <p class="warned">
            There has been no page at this address since <SiteDay of={gone} />: lists that readers see leave the post
            out until it is there again. Its figures stay.
          </p>
        )}
      </div>
    </header>
  );
}

/** Of this server, whose folder is one above the root of the console. One that cannot be made is left out. */
const Picture = ({ path }: { path: string }) => (
  <img
    src={`${placeOf().root}..${path}`}
    alt=""
    onError={({ currentTarget }) => {
      currentTarget.hidden = true;
    }}
  />
);
