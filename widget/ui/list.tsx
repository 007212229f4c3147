/** @jsxRuntime classic */
/** @jsx h */
// The list as readers see it: a labelled landmark, a heading, a real list.
import { type ComponentChild, h } from 'preact';
import type { Create, DrawCard } from '../commands.ts';
import type { Settings } from '../host.ts';
import { isShape, itemOf } from './item.tsx';
import type { Card } from './records.ts';

/** Names with `_` are shortened by the build. */
export interface ListProps {
  /** With a layout. */
  _settings: Settings;
  /** Undefined while they are on their way. */
  _cards: Card[] | undefined;
  /** Addresses of the page itself: its post in a ranking is marked. */
  _here?: string[];
  /** Text of a date; the machine's own form until there was time to ask for a better one. */
  _format(date: string): string;
  /** The publisher's own item, as a function. Its place stays empty where that returns an empty list. */
  _draw?: DrawCard | undefined;
  /** Called with the element of an item, each time it is drawn. */
  _watch?(item: HTMLElement, card: Card): void;
}

/** What the page says, "" for none; in English where it says nothing and its language is not known. */
const headingOf = ({ afterword, heading = afterword === 'top' ? 'Most read' : 'Related' }: Settings): string => heading;

/** Accessible name: what the page says, the heading, or the kind of the list. */
export const labelOf = (settings: Settings): string => (settings.label || headingOf(settings) || settings.afterword)!;

/** The pictures' shape, where the slot says one, for the style sheet. */
export const shapeOf = ({ image }: Settings): string | undefined => image && `--r:${isShape(image) ? +image : 'off'}`;

export function List(props: ListProps): ComponentChild {
  const { _settings, _cards, _draw } = props;
  const { afterword: kind, layout } = _settings;
  const heading = headingOf(_settings);
  const Heading = `h${/^[1-6]$/.exec(_settings.headingLevel!) || 2}` as 'h2';
  // The order of a ranking means something.
  const Rows = (kind === 'top' ? 'ol' : 'ul') as 'ul';
  const rows: (Card | undefined)[] = _cards || [...Array(+_settings.limit!)];
  return (
    <nav part={`nav ${kind}-${layout}`} style={shapeOf(_settings)} aria-label={labelOf(_settings)}>
      {heading && <Heading part="heading">{heading}</Heading>}
      {/* Safari takes the role away with the bullets. */}
      <Rows part="list" role="list" aria-busy={!_cards}>
        {rows.map((card) => {
          const watch = (item: HTMLElement | null): void => {
            if (item && card) props._watch?.(item, card);
          };
          return (
            <li ref={watch} part="item" key={card?.url} aria-hidden={!card}>
              {(card && _draw?.(card, h as Create)) || itemOf(props, card)}
            </li>
          );
        })}
      </Rows>
    </nav>
  );
}
