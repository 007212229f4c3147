// What is recommended, on worlds small enough to see why.
import { describe, expect, test } from 'vitest';
import type { RecommendFilters } from '../../server/recommend/request.ts';
import { ask, at, DAY, indexOf, learned, NOW, post, settle } from './corpus.ts';

const ferry =
  'The night ferry to the islands leaves the old harbour late. Ferry tickets are sold at the harbour kiosk.';
const bread = 'Sourdough bread needs a patient baker, warm flour and a starter that bubbles before dawn.';
const chess = 'The chess final went to a tie-break after a drawn endgame with rooks and an outside passed pawn.';

const world = () => [
  post('ferry-fares', { title: 'Ferry fares rise', fullContent: ferry, section: 'Travel', tags: ['islands'] }),
  post('night-ferry', {
    title: 'Aboard the night ferry',
    fullContent: `${ferry.slice(0, 60)} Passengers sleep on deck.`,
    section: 'Travel',
    authors: ['Ada Lovelace'],
    tags: ['islands', 'night'],
    pubDate: NOW - 3 * DAY,
  }),
  post('harbour-kiosk', {
    title: 'The woman in the harbour kiosk',
    fullContent: 'She sells ferry tickets at the harbour kiosk and knows the islands by heart.',
    section: 'People',
    authors: ['Grace Hopper', 'Ada Lovelace'],
    tags: ['islands'],
    pubDate: NOW - 40 * DAY,
  }),
  post('bread', { title: 'A patient baker', fullContent: bread, section: 'Food', pubDate: NOW - 2 * DAY }),
  post('starter', {
    title: 'Feeding a sourdough starter',
    fullContent: 'A starter that bubbles before dawn makes bread worth waiting for.',
    section: 'Food',
    pubDate: NOW - 5 * DAY,
  }),
  post('chess', { title: 'Chess final', fullContent: chess, section: 'Sport', pubDate: NOW - 4 * DAY }),
];

describe('by the post being read', () => {
  const index = indexOf(world());

  test('posts about the same come first, and the post itself never', () => {
    expect(ask(index, { url: at('ferry-fares') })).toEqual(['night-ferry', 'harbour-kiosk']);
    expect(ask(index, { url: at('starter') })).toEqual(['bread']);
  });

  test('where nothing is relevant, nothing or the most recent posts are answered, as asked', () => {
    expect(ask(index, { url: at('chess') })).toEqual([]);
    expect(ask(index, { url: at('chess'), respectEmpty: false })).toEqual([
      'ferry-fares',
      'bread',
      'night-ferry',
      'starter',
      'harbour-kiosk',
    ]);
  });

  test('an unknown URL is answered like no URL', () => {
    expect(ask(index, { url: at('nowhere'), respectEmpty: false, limit: 2 })).toEqual(['ferry-fares', 'bread']);
    expect(ask(index, { url: at('nowhere') })).toEqual([]);
  });

  test('sort by date orders the relevant posts, not all posts', () => {
    expect(ask(index, { url: at('harbour-kiosk'), sort: 'pub_date' })).toEqual(['ferry-fares', 'night-ferry']);
  });
});

describe('filters', () => {
  const index = indexOf(world());
  const url = at('ferry-fares');

  test.each([
    ['a section', { sections: ['Travel'] }, ['night-ferry']],
    ['any of two sections', { sections: ['Travel', 'People'] }, ['night-ferry', 'harbour-kiosk']],
    ['all of two authors', { authors: ['Ada Lovelace', 'Grace Hopper'] }, ['harbour-kiosk']],
    ['all of two tags', { tags: ['islands', 'night'] }, ['night-ferry']],
    ['an unused tag', { tags: ['Islands'] }, []],
    ['dates from', { pubDateStart: NOW - 10 * DAY }, ['night-ferry']],
    ['dates up to', { pubDateEnd: NOW - 10 * DAY }, ['harbour-kiosk']],
    ['not a section', { exclude: [{ meta: 'section', value: 'Travel' } as const] }, ['harbour-kiosk']],
    ['not an author', { exclude: [{ meta: 'authors', value: 'Grace Hopper' } as const] }, ['night-ferry']],
    ['not a tag', { exclude: [{ meta: 'tags', value: 'night' } as const] }, ['harbour-kiosk']],
  ])('%s', (_, filters, expected) => {
    expect(ask(index, { url, filters })).toEqual(expected);
  });

  test('a post without a date is in no span of time that begins, and in one that only ends', () => {
    const undated = indexOf([...world(), post('undated', { title: 'Ferry', fullContent: ferry, pubDate: null })]);
    const asked = (filters: RecommendFilters) => ask(undated, { url: at('harbour-kiosk'), filters });
    expect(asked({})).toContain('undated');
    expect(asked({ pubDateEnd: NOW - 2 * DAY })).toContain('undated');
    expect(asked({ pubDateStart: NOW - 1000 * DAY })).toEqual(['ferry-fares', 'night-ferry']);
  });

  test('excluded URLs never appear, not among the most recent either', () => {
    const excluded = new Set([at('night-ferry'), at('bread')]);
    expect(ask(index, { url, excluded })).toEqual(['harbour-kiosk']);
    expect(ask(index, { excluded, respectEmpty: false, limit: 2 })).toEqual(['ferry-fares', 'chess']);
  });

  test('a post is not recommended before it is out', () => {
    const early = indexOf([...world(), post('ferry-news', { title: 'Ferry', fullContent: ferry, pubDate: NOW + DAY })]);
    expect(ask(early, { url: at('harbour-kiosk') })).not.toContain('ferry-news');
    expect(ask(early, { url: at('harbour-kiosk') }, NOW + 2 * DAY)).toContain('ferry-news');
  });
});

describe('by what a visitor has read', () => {
  const index = indexOf(world());
  const visits = (...pages: string[]) => pages.map((page, back) => ({ url: at(page), time: NOW - back * 1000 }));

  test('more of the same, never what was read', () => {
    expect(ask(index, { visits: visits('ferry-fares') })).toEqual(['night-ferry', 'harbour-kiosk']);
    expect(ask(index, { visits: visits('night-ferry', 'ferry-fares') })).toEqual(['harbour-kiosk']);
  });

  test('every interest is served', () => {
    expect(ask(index, { visits: visits('starter', 'night-ferry'), limit: 2 })).toEqual(['ferry-fares', 'bread']);
  });

  test('an interest of other years is served too', () => {
    const old = new Set(['bread', 'starter', 'flour']);
    const flour = post('flour', {
      title: 'Warm flour',
      fullContent: `${bread} A patient baker warms it.`,
      section: 'Food',
    });
    const years = [...world(), flour].map((one) =>
      old.has(one.url.slice(at('').length)) ? { ...one, pubDate: one.pubDate! - 3000 * DAY } : one,
    );
    const read = { visits: visits('ferry-fares', 'flour'), limit: 2 };
    for (const posts of [[...world(), flour], years])
      expect(ask(indexOf(posts), read)).toEqual(['bread', 'night-ferry']);
  });

  test('with a post being read the list is about that post, without what was read', () => {
    expect(ask(index, { url: at('ferry-fares'), visits: visits('night-ferry', 'bread') })).toEqual(['harbour-kiosk']);
  });

  test.each([
    [
      'of half an hour before, which is of the same session',
      at('ferry-fares'),
      29 * 60_000,
      [at('ferry-fares'), at('bread')],
    ],
    ['of longer before, which says nothing of now', at('ferry-fares'), 31 * 60_000, [at('ferry-fares')]],
    ['days ago, where no page says what is read now', undefined, 3 * DAY, [at('bread')]],
  ])('readers are asked about a visit %s', (_, url, ago, expected) => {
    const asked: (readonly string[])[] = [];
    const next = (read: readonly string[]) => {
      asked.push(read);
      return [];
    };
    ask(index, { ...(url && { url }), visits: [{ url: at('bread'), time: NOW - ago }], readers: { next } });
    expect(asked[0]).toEqual(expected);
  });

  describe('and what others read next', () => {
    const readers = learned('ferry-fares>chess', 'ferry-fares>chess', 'ferry-fares>bread', 'night-ferry>harbour-kiosk');

    test('brings in what several readers of the same went on to, beside what is like it', () => {
      const found = ask(index, { visits: visits('ferry-fares'), readers });
      expect(found[0]).toBe('chess');
      // One reader alone says nothing: bread is left out.
      expect([...found].sort()).toEqual(['chess', 'harbour-kiosk', 'night-ferry']);
    });

    test('obeys filters and exclusions, and never shows what was read', () => {
      const asked = { visits: visits('ferry-fares'), readers };
      expect(ask(index, { ...asked, filters: { sections: ['Travel'] } })).toEqual(['night-ferry']);
      expect(ask(index, { ...asked, excluded: new Set([at('chess')]) })).not.toContain('chess');
      expect(ask(index, { visits: visits('ferry-fares', 'chess'), readers })).not.toContain('chess');
    });

    test('brings it in below a post too, but not without a visitor, nor what a single reader went on to', () => {
      const url = at('ferry-fares');
      const alone = ask(index, { url });
      expect(alone).toEqual(['night-ferry', 'harbour-kiosk']);
      expect(ask(index, { url, readers })).toEqual(alone);
      const kiosk = learned(
        ...Array.from({ length: 9 }, () => 'ferry-fares>harbour-kiosk'),
        'ferry-fares>chess',
        'ferry-fares>chess',
        'ferry-fares>bread',
      );
      const mixed = ask(index, { url, visits: [], readers: kiosk });
      expect(mixed[0]).toBe('harbour-kiosk');
      expect([...mixed].sort()).toEqual(['chess', ...alone].sort());
    });

    test('is asked of the last session only: what was read days ago says nothing of now', () => {
      const old = [
        { url: at('starter'), time: NOW },
        { url: at('ferry-fares'), time: NOW - DAY },
      ];
      expect(ask(index, { visits: old, readers }).sort()).toEqual(ask(index, { visits: old }).sort());
    });
  });

  test('a profile of unknown pages is answered like none', () => {
    expect(ask(index, { visits: visits('gone'), respectEmpty: false, limit: 1 })).toEqual(['ferry-fares']);
  });
});

describe('posts come and go', () => {
  test('a new post is recommended at once, a removed one never again', () => {
    const index = indexOf(world());
    index.put(post('new-ferry', { title: 'A new ferry', fullContent: ferry.slice(10), pubDate: NOW - DAY / 2 }));
    expect(ask(index, { url: at('harbour-kiosk') })).toContain('new-ferry');
    expect(index.remove(at('night-ferry'))).toBe(true);
    expect(index.remove(at('night-ferry'))).toBe(false);
    expect(ask(index, { url: at('harbour-kiosk') })).not.toContain('night-ferry');
    expect(ask(index, { respectEmpty: false })).not.toContain('night-ferry');
  });

  test('a rewritten post is recommended for its new text only', () => {
    const index = indexOf(world());
    index.put(post('night-ferry', { title: 'Rooks and pawns', fullContent: chess }));
    settle(index);
    expect(ask(index, { url: at('harbour-kiosk') })).not.toContain('night-ferry');
    expect(index.size).toBe(world().length);
  });

  test('copies of an article are shown once', () => {
    const text = `${ferry} ${bread} ${chess}`;
    const copies = ['first', 'second', 'third'].map((name) =>
      post(name, { title: 'Ferries, bread and chess', fullContent: `${text} Printed in the ${name} edition.` }),
    );
    const index = indexOf([...world(), ...copies]);
    const shown = ask(index, { url: at('ferry-fares') });
    expect(shown.filter((name) => ['first', 'second', 'third'].includes(name))).toHaveLength(1);
    expect(ask(index, { url: at('first') })).not.toContain('second');
  });

  test('where copies of the page alone are relevant, the most recent posts are answered, or nothing, as asked', () => {
    const fullContent = Array.from({ length: 40 }, (_, i) => `word${i}of`).join(' ');
    const copy = (name: string) => post(name, { title: 'Rematch', fullContent, pubDate: NOW - 9 * DAY });
    const index = indexOf([...world(), copy('rematch'), copy('www-rematch')]);
    expect(ask(index, { url: at('rematch') })).toEqual([]);
    const recent = ask(index, { url: at('rematch'), respectEmpty: false });
    expect(recent).toEqual(['ferry-fares', 'bread', 'night-ferry', 'chess', 'starter', 'harbour-kiosk']);
  });
});
