/** @jsxRuntime classic */
/** @jsx h */
// The list as readers see it: a labelled landmark, a heading, a real list.
import { type ComponentChild, h } from 'preact';
import { drawCard } from '../attend.ts';
import type { Settings } from '../host.ts';
import { Item } from './item.tsx';
import type { Card } from './records.ts';
import { fillTemplate } from './template.ts';

export interface ListProps {
  settings: Settings;
  /** Undefined while they are on their way. */
  cards: Card[] | undefined;
  /** The publisher's own item. */
  template: HTMLTemplateElement | null;
  /** Text of a date; the machine's own form until there was time to ask for a better one. */
  format(date: string): string;
  onClick(card: Card): void;
}

export function List(props: ListProps): ComponentChild {
  const { settings, cards, template } = props;
  const { afterword: kind = '', heading = kind === 'top' ? 'Most read' : 'Related', layout = 'list' } = settings;
  const Heading = `h${settings.headingLevel || 2}` as 'h2';
  const content = (card: Card | undefined): ComponentChild => {
    if (card && template) return <Filled template={template} card={{ ...card, date: props.format(card.date) }} />;
    return card && drawCard ? drawCard(card, h) : <Item {...props} card={card} />;
  };
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
        {rows.map((card) => {
          const click = (event: Event): void => {
            if (card && (event.target as Element).closest('a')) props.onClick(card);
          };
          return (
            <li part="item" key={card?.url} aria-hidden={!card} onClick={click} onAuxClick={click}>
              {content(card)}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function Filled({ template, card }: { template: HTMLTemplateElement; card: Card }): ComponentChild {
  const fill = (element: Element | null): void => {
    if (element) fillTemplate(element, template, card);
  };
  return <div ref={fill} />;
}
