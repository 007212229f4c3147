/** @jsxRuntime classic */
/** @jsx h */
// The list as readers see it: a labelled landmark, a heading, a real list, one link an item.
// biome-ignore lint/correctness/noUnusedImports: JSX calls it
import { type ComponentChild, h } from 'preact';
import type { Settings } from '../host.ts';
import type { Card } from './records.ts';

export interface ListProps {
  settings: Settings;
  /** Undefined while they are on their way. */
  cards: Card[] | undefined;
  /** Text of a date; the machine's own form until there was time to ask for a better one. */
  format(date: string): string;
  onClick(card: Card): void;
}

export function List(props: ListProps): ComponentChild {
  const { settings, cards } = props;
  const { afterword: kind = '', heading = kind === 'top' ? 'Most read' : 'Related', layout = 'list' } = settings;
  const Heading = `h${settings.headingLevel || 2}` as 'h2';
  const rows: (Card | undefined)[] = cards || Array.from({ length: +settings.limit! });
  return (
    <nav part="nav" class={`${kind} ${layout}`} aria-label={settings.label || heading || kind}>
      {heading && (
        <Heading part="heading" class="h">
          {heading}
        </Heading>
      )}
      {/* biome-ignore lint/a11y/noRedundantRoles: Safari takes the role away with the bullets. */}
      <ul part="list" role="list" class={cards ? '' : 's'} aria-busy={!cards}>
        {rows.map((card) => (
          <li part="item" key={card?.url} aria-hidden={!card}>
            {pictured(props) && <Picture card={card} settings={settings} />}
            <div part="text" class="t">
              {card && (
                <a
                  part="link"
                  href={card.url}
                  onClick={() => props.onClick(card)}
                  onAuxClick={() => props.onClick(card)}
                >
                  {card.title}
                </a>
              )}
              {card && layout !== 'compact' && <Meta {...props} card={card} />}
            </div>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A compact list has no pictures, and a plain one none where no post has any: then they would be decoration only. */
function pictured({ settings, cards }: ListProps): boolean {
  const { layout = 'list' } = settings;
  if (layout === 'compact' || settings.image === 'off') return false;
  return layout !== 'list' || !cards || !!settings.fallback || cards.some((card) => card.image);
}

/** A picture that is missing or fails gives way to the fallback image, then to the first letter of the title. */
function Picture({ card, settings }: { card: Card | undefined; settings: Settings }): ComponentChild {
  const source = card?.image || settings.fallback;
  return (
    <div part="frame" class="f" data-i={card?.title[0]}>
      {card && source && (
        <img
          part="image"
          src={source}
          alt=""
          width="320"
          height="180"
          loading="lazy"
          decoding="async"
          onError={({ currentTarget: image }) => {
            const { fallback } = settings;
            if (fallback && image.src !== fallback) image.src = fallback;
            else image.remove();
          }}
        />
      )}
    </div>
  );
}

function Meta({ settings, card, format }: ListProps & { card: Card }): ComponentChild {
  const { meta = 'section date' } = settings;
  const parts = meta.split(' ').map((name) => {
    const value = card[name as 'section' | 'author' | 'date'];
    if (!value) return null;
    if (name !== 'date') return <span part={name}>{value}</span>;
    return (
      <time part="date" dateTime={value}>
        {format(value)}
      </time>
    );
  });
  return (
    <div part="meta" class="m">
      {parts}
    </div>
  );
}
