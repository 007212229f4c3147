/** @jsxRuntime classic */
/** @jsx h */
// One post of a list: a picture that decorates, one link that covers the item, a line about the post.
// biome-ignore lint/correctness/noUnusedImports: JSX calls it
import { type ComponentChild, h } from 'preact';
import type { Settings } from '../host.ts';
import { NARROWEST } from '../reserve.ts';
import type { ListProps } from './list.tsx';
import type { Card } from './records.ts';

/** @param props.card undefined draws the room for one. */
export function Item(props: ListProps & { card: Card | undefined }): ComponentChild {
  const { settings, card, here } = props;
  return [
    pictured(props) && <Picture card={card} settings={settings} />,
    <div part="text" class="t">
      {card && (
        <a part="link" href={card.url} aria-current={here?.includes(card.link) ? 'page' : undefined}>
          {card.title}
        </a>
      )}
      {card && settings.layout !== 'compact' && <Meta {...props} card={card} />}
    </div>,
  ];
}

/** Whether `data-image` is a shape, wide by high: a word is none, nor is a number that would make towers of pictures. */
export const isShape = (image: string): boolean => +image >= NARROWEST;

/** A compact list has no pictures, nor one whose `data-image` is no number, and a plain one none where no post has any: then they would be decoration only. */
function pictured({ settings, cards }: ListProps): boolean {
  const { layout = 'list', image = '1', fallback } = settings;
  if (layout === 'compact' || !isShape(image)) return false;
  return layout !== 'list' || !cards || !!fallback || cards.some((card) => card.image);
}

/** What stands for a picture that fails: once the fallback, then nothing. */
export function replaceImage(image: HTMLImageElement, fallback: string | undefined): void {
  if (fallback && image.getAttribute('src') !== fallback) image.src = fallback;
  else image.remove();
}

/** A picture that is missing or fails gives way to the fallback image, then to the first letter of the title. */
function Picture({ card, settings }: { card: Card | undefined; settings: Settings }): ComponentChild {
  const { fallback } = settings;
  const source = card?.image || fallback;
  return (
    <div part="frame" class="f" data-i={card && [...card.title][0]} aria-hidden>
      {card && source && (
        <img
          part="image"
          src={source}
          alt=""
          width="320"
          height="180"
          loading="lazy"
          decoding="async"
          onError={({ currentTarget }) => replaceImage(currentTarget, fallback)}
        />
      )}
    </div>
  );
}

function Meta({ settings, card, format }: ListProps & { card: Card }): ComponentChild {
  const { meta = 'section date' } = settings;
  let count = 0;
  const parts = meta.split(' ').map((name) => {
    // Its own fields: "constructor" is a field of every object.
    const value = Object.hasOwn(card, name) && card[name as 'section' | 'author' | 'date'];
    if (!value) return null;
    return [
      // Text, not style: a list without our styles, a clipboard and a screen reader keep the words apart, too.
      count++ ? ' · ' : '',
      name === 'date' ? (
        <time part="date" dateTime={value}>
          {format(value)}
        </time>
      ) : (
        <span part={name}>{value}</span>
      ),
    ];
  });
  return (
    <div part="meta" class="m">
      {parts}
    </div>
  );
}
