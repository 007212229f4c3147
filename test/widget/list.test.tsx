/** @jsxRuntime classic */
/** @jsx h */
// The list in each of its states, as the document has it.
import { cleanup, fireEvent, render, screen, within } from '@testing-library/preact';
// biome-ignore lint/correctness/noUnusedImports: JSX calls it
import { h } from 'preact';
import { afterEach, describe, expect, it } from 'vitest';
import type { Settings } from '../../widget/host.ts';
import { List, type ListProps } from '../../widget/ui/list.tsx';
import type { Card } from '../../widget/ui/records.ts';
import { fillItems } from '../../widget/ui/template.ts';

const settings: Settings = { afterword: 'related', limit: '3' };

function cards(count: number, change: Partial<Card> = {}): Card[] {
  return Array.from({ length: count }, (_, index) => ({
    url: `https://example.com/${index}`,
    link: `https://example.com/${index}`,
    title: `Post ${index}`,
    image: '',
    original: '',
    section: 'News',
    author: 'Ada Writer',
    date: '2026-01-02T03:04:05',
    source: 'words',
    ...change,
  }));
}

function show(props: Partial<ListProps> = {}) {
  const all = {
    _settings: settings,
    _cards: cards(3),
    _format: (date: string) => date.slice(0, 10),
    ...props,
  };
  return render(<List {...all} />);
}

afterEach(cleanup);

describe('a list', () => {
  it('is a landmark named by its heading, with one link an item', () => {
    show({ _settings: { ...settings, heading: 'Read on', headingLevel: '3' } });
    const nav = screen.getByRole('navigation', { name: 'Read on' });
    expect(within(nav).getByRole('heading', { level: 3 }).textContent).toBe('Read on');
    const items = within(nav).getAllByRole('listitem');
    expect(items).toHaveLength(3);
    for (const item of items) expect(within(item).getAllByRole('link')).toHaveLength(1);
  });

  it.each([
    ['related', 'Related'],
    ['top', 'Most read'],
  ])('of kind %s is called %s without a heading of the page', (afterword, name) => {
    show({ _settings: { ...settings, afterword } });
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe(name);
  });

  it('has a name without a heading', () => {
    show({ _settings: { ...settings, heading: '', label: 'Also of interest' } });
    expect(screen.queryByRole('heading')).toBeNull();
    expect(screen.getByRole('navigation', { name: 'Also of interest' })).toBeTruthy();
  });

  it('keeps as many places as it will fill, says that it is busy, and offers nothing to read yet', () => {
    const { container } = show({ _cards: undefined });
    expect(container.querySelector('ul')!.getAttribute('aria-busy')).toBe('true');
    expect(container.querySelectorAll('li[aria-hidden=true]')).toHaveLength(3);
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('shows section and date under each post, or what the slot says', () => {
    const { container, unmount } = show();
    expect(container.querySelector('[part=meta]')!.textContent).toBe('News · 2026-01-02');
    expect(container.querySelector('time')!.getAttribute('datetime')).toBe('2026-01-02T03:04:05');
    unmount();
    const other = show({ _settings: { ...settings, meta: 'author' } });
    expect(other.container.querySelector('[part=meta]')!.textContent).toBe('Ada Writer');
    other.unmount();
    const { container: last } = show({
      _settings: { ...settings, meta: 'section author date' },
      _cards: cards(1, { section: '' }),
    });
    expect(last.querySelector('[part=meta]')!.textContent).toBe('Ada Writer · 2026-01-02');
  });

  it('leaves out what is not known', () => {
    const { container } = show({ _cards: cards(1, { section: '', date: '' }) });
    expect(container.querySelector('[part=meta]')!.children).toHaveLength(0);
  });

  it.each([
    ['list', 'https://example.com/a.jpg', 1],
    ['list', '', 0],
    ['grid', '', 1],
    ['row', '', 1],
    ['compact', 'https://example.com/a.jpg', 0],
  ])('in layout %s, with picture "%s", has %i frames', (layout, image, frames) => {
    const { container } = show({ _settings: { ...settings, layout }, _cards: cards(1, { image }) });
    expect(container.querySelectorAll('[part=frame]')).toHaveLength(frames);
  });

  it('has no pictures where they are switched off', () => {
    const { container } = show({
      _settings: { ...settings, image: 'off' },
      _cards: cards(1, { image: 'https://example.com/a.jpg' }),
    });
    expect(container.querySelector('[part=frame]')).toBeNull();
  });

  it('gives a picture that fails its fallback, once, and then takes it away', () => {
    const fallback = 'https://example.com/fallback.svg';
    const { container } = show({
      _settings: { ...settings, fallback },
      _cards: cards(1, { image: 'https://example.com/gone.jpg' }),
    });
    const image = container.querySelector('img')!;
    fireEvent.error(image);
    expect(image.getAttribute('src')).toBe(fallback);
    fireEvent.error(image);
    expect(container.querySelector('img')).toBeNull();
    expect(container.querySelector<HTMLElement>('[part=frame]')!.dataset.i).toBe('P');
  });

  it('shows the first letter whole, where that takes two of the machine’s', () => {
    const { container } = show({ _settings: { ...settings, layout: 'grid' }, _cards: cards(1, { title: '😀 News' }) });
    expect(container.querySelector<HTMLElement>('[part=frame]')!.dataset.i).toBe('😀');
  });

  it('shows titles as text', () => {
    show({ _cards: cards(1, { title: '<b>Bold</b> & more' }) });
    expect(screen.getByRole('link').textContent).toBe('<b>Bold</b> & more');
    expect(screen.getByRole('link').querySelector('b')).toBeNull();
  });

  it('is drawn by a function of the page, which is given the post', () => {
    const { container } = show({ _draw: (card, create) => create('a', { href: card.link, class: 'own' }, card.title) });
    expect([...container.querySelectorAll('li > a.own')].map((link) => link.textContent)).toEqual([
      'Post 0',
      'Post 1',
      'Post 2',
    ]);
  });

  it('fills a template of the page, leaving the page’s own text alone', () => {
    const template = document.createElement('template');
    template.innerHTML =
      '<h4 data-field="title">Title</h4><i>kept</i><a data-field="url">Read</a><img data-field="image">';
    const { container } = show({ _draw: () => [], _cards: cards(1) });
    fillItems(container, template, cards(1), (date) => date);
    const item = container.querySelector('li')!;
    expect(item.querySelector('h4')!.textContent).toBe('Post 0');
    expect(item.querySelector('i')!.textContent).toBe('kept');
    expect(item.querySelector('a')!.getAttribute('href')).toBe('https://example.com/0');
    expect(item.querySelector('img')!.hidden).toBe(true);
  });
});
