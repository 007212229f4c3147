/** @jsxRuntime classic */
/** @jsx h */
// The list as readers see it: a labelled landmark, a heading, a real list.
import { type ComponentChild, h } from 'preact';
import type { Create, DrawCard } from '../commands.ts';
import type { Settings } from '../host.ts';
import { Item, isShape } from './item.tsx';
import type { Card } from './records.ts';

export interface ListProps {
  settings: Settings;
  /** Undefined while they are on their way. */
  cards: Card[] | undefined;
  /** The publisher's own item: leaves the places of posts empty, to be filled by `fillItems`. */
  template: HTMLTemplateElement | null;
  /** Addresses of the page itself: its post in a ranking is marked. */
  here?: string[];
  /** Text of a date; the machine's own form until there was time to ask for a better one. */
  format(date: string): string;
  /** The publisher's own item, as a function. */
  draw?: DrawCard | undefined;
}

/** What the page says, "" for none; in English where it says nothing: words of another language are the publisher's to choose. */
export const headingOf = ({ afterword, heading = afterword === 'top' ? 'Most read' : 'Related' }: Settings): string =>
  heading;

/** The pictures' shape, where the slot says one, for the style sheet. */
export const shapeOf = ({ image }: Settings): string | undefined => image && `--r:${isShape(image) ? +image : 'off'}`;

export function List(props: ListProps): ComponentChild {
  const { settings, cards, template, draw } = props;
  const { afterword: kind = '', layout = 'list' } = settings;
  const heading = headingOf(settings);
  const Heading = `h${/^[1-6]$/.exec(settings.headingLevel!) || 2}` as 'h2';
  const content = (card: Card | undefined): ComponentChild =>
    card && template ? null : (card && draw?.(card, h as Create)) || <Item {...props} card={card} />;
  const rows: (Card | undefined)[] = cards || Array.from({ length: +settings.limit! });
  return (
    <nav
      part="nav"
      class={`${kind} ${layout}`}
      style={shapeOf(settings)}
      aria-label={settings.label || heading || kind}
    >
      {heading && (
        <Heading part="heading" class="h">
          {heading}
        </Heading>
      )}
      {/* biome-ignore lint/a11y/noRedundantRoles: Safari takes the role away with the bullets. */}
      <ul part="list" role="list" class={cards ? '' : 's'} aria-busy={!cards}>
        {rows.map((card) => (
          <li part="item" key={card?.url} aria-hidden={!card}>
            {content(card)}
          </li>
        ))}
      </ul>
    </nav>
  );
}
