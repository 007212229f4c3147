/** @jsxRuntime classic */
/** @jsx h */
// One post of a list: a picture that decorates, one link that covers the item, a line about the post.
// biome-ignore lint/correctness/noUnusedImports: JSX calls it
import { type ComponentChild, h } from 'preact';
import { NARROWEST } from '../reserve.ts';
import type { ListProps } from './list.tsx';
import type { Card } from './records.ts';

/** @param card undefined draws the room for one. */
export const itemOf = (props: ListProps, card: Card | undefined): ComponentChild => [
  isPictured(props) && pictureOf(props, card),
  <div part="text">
    {card && [
      <a part="link" href={card.url} aria-current={props._here?.includes(card.link) ? 'page' : undefined}>
        <bdi>{card.title}</bdi>
      </a>,
      props._settings.layout !== 'compact' && metaOf(props, card),
    ]}
  </div>,
];

/**
 * Whether `data-image` is a shape, wide by high: a word is none, nor is a number that would make towers of pictures.
 */
export const isShape = (image: string): boolean => +image >= NARROWEST;

/**
 * A compact list has no pictures, nor one whose `data-image` is no number, and a plain one none where no post has any:
 * then they would be decoration only.
 */
const isPictured = ({ _settings, _cards }: ListProps): unknown => {
  const { layout, image = '1', fallback } = _settings;
  return (
    layout !== 'compact' &&
    isShape(image) &&
    (layout !== 'list' || !_cards || fallback || _cards.some((card) => card.image))
  );
};

/** In the address of a thumbnail that the server makes: its width, and the picture it is of. */
const THUMBNAIL = '480?of';

/** A picture that is missing or fails gives way to the fallback image, then to the first letter of the title. */
const pictureOf = ({ _settings: { fallback, layout } }: ListProps, card: Card | undefined): ComponentChild => (
  <div part="frame" data-i={card && [...card.title][0]} aria-hidden>
    {card && (card.image || fallback) && (
      <img
        part="image"
        loading="lazy"
        sizes={/^[gr]/.test(layout!) ? '320px' : '112px'}
        srcset={
          card.image.includes(THUMBNAIL)
            ? `${[160, 320, 640, 960].map((width) => `${card.image.replace(THUMBNAIL, `${width}?of`)} ${width}w`)}`
            : card.srcset
        }
        src={card.image || fallback}
        alt=""
        width="320"
        height="180"
        decoding="async"
        // Once the fallback, then nothing. A picture that is removed keeps its attributes: each assignment to one loads
        // it again, out of the document too, and fails again.
        onError={({ currentTarget: image }) => {
          if (fallback && image.getAttribute('src') !== fallback) {
            image.srcset = '';
            image.src = fallback;
          } else image.remove();
        }}
      />
    )}
  </div>
);

const metaOf = ({ _settings: { meta = 'section date' }, _format }: ListProps, card: Card): ComponentChild => {
  // Its own fields: "constructor" is a field of every object.
  const names = meta.split(' ').filter((name) => Object.hasOwn(card, name) && card[name as 'date']);
  return (
    <div part="meta">
      {names.map((name, index) => [
        // Text, not style: a list without our styles, a clipboard and a screen reader keep the words apart, too.
        index ? ' · ' : '',
        name === 'date' ? (
          <time part="date" dateTime={card.date}>
            {_format(card.date)}
          </time>
        ) : (
          <bdi part={name}>{card[name as 'section']}</bdi>
        ),
      ])}
    </div>
  );
};
