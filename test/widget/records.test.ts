// Records as a list reads them: examples, and laws that hold whatever comes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pick } from '../../widget/rare/alternatives.ts';
import { fitCards } from '../../widget/rare/services.ts';
import { readCards } from '../../widget/ui/records.ts';

const record = { title: 'A post', url: 'https://example.com/a', section: 'News', pub_date: '2026-01-02T03:04:05Z' };

describe('records', () => {
  it('become cards, with "" for what is not known', () => {
    expect(readCards({ data: [record], success: true })).toEqual([
      {
        url: 'https://example.com/a',
        link: 'https://example.com/a',
        title: 'A post',
        image: '',
        original: '',
        section: 'News',
        author: '',
        date: '2026-01-02T03:04:05',
        source: 'popular',
      },
    ]);
  });

  it('prefer the thumbnail to the picture', () => {
    const images = { image_url: 'https://example.com/large.jpg', thumb_url_medium: 'https://example.com/small.jpg' };
    expect(readCards({ data: [{ ...record, ...images }] })![0]!.image).toBe('https://example.com/small.jpg');
    expect(readCards({ data: [{ ...record, ...images, thumb_url_medium: '' }] })![0]!.image).toBe(images.image_url);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', '//example.com/', '/a', '', ' https://example.com', null, 7, {}])(
    'are left out when their address is %j',
    (url) => expect(readCards({ data: [{ ...record, url }] })).toEqual([]),
  );

  it.each([undefined, null, 0, '', 'data', [], {}, { data: null }, { data: {} }, { code: 403, success: false }])(
    'are none in %j',
    (body) => expect(readCards(body)).toBeUndefined(),
  );

  it.each([
    ['https://example.com/a', 'itm_campaign=related', 'https://example.com/a?itm_campaign=related'],
    ['https://example.com/a?p=1#c', 'itm_campaign=a b', 'https://example.com/a?p=1&itm_campaign=a+b#c'],
    ['https://example.com/a?itm_medium=old', 'itm_medium=new', 'https://example.com/a?itm_medium=new'],
    ['http://[broken', 'itm_medium=new', 'http://[broken'],
  ])('lead to %s with %s as %s, and keep their own address', (url, itm, marked) => {
    expect(fitCards(readCards({ data: [{ ...record, url }] }), { itm })![0]).toMatchObject({ url: marked, link: url });
  });

  it.each([
    ['https://cdn.example/w={width}/{url}', 'https://cdn.example/w=480/https%3A%2F%2Fexample.com%2F%24%26.jpg'],
    ['HTTP://cdn.example/?u={url}', 'HTTP://cdn.example/?u=https%3A%2F%2Fexample.com%2F%24%26.jpg'],
    ['javascript:alert(1)//{url}', ''],
    ['//cdn.example/{url}', ''],
    ['{url}', ''],
  ])('have their picture from the image service %s at %s', (imageSrc, image) => {
    const data = [
      { ...record, image_url: 'https://example.com/$&.jpg', thumb_url_medium: 'https://example.com/small.jpg' },
    ];
    expect(fitCards(readCards({ data }), { imageSrc })![0]).toMatchObject({ image });
    expect(fitCards(readCards({ data: [{ ...record, image_url: '' }] }), { imageSrc })![0]).toMatchObject({
      image: '',
    });
  });

  it.each([
    [
      'https://cdn.example/w={width}/{url}',
      [160, 320, 640, 960]
        .map((width) => `https://cdn.example/w=${width}/https%3A%2F%2Fa.example%2Fa.jpg ${width}w`)
        .join(),
    ],
    ['https://cdn.example/{url}', undefined],
    ['javascript:{width}//{url}', undefined],
  ])('have it in the widths of thumbnails, from the service %s', (imageSrc, srcset) => {
    const data = [{ ...record, image_url: 'https://a.example/a.jpg' }];
    expect(fitCards(readCards({ data }), { imageSrc })![0]!.srcset).toBe(srcset);
    expect(fitCards(readCards({ data: [{ ...record, image_url: '' }] }), { imageSrc })![0]!.srcset).toBeUndefined();
  });

  it('never throw, and never let another scheme through, whatever comes', () => {
    const anything = fc.anything();
    const hostile = fc.record({
      url: fc.oneof(anything, fc.webUrl()),
      title: fc.oneof(anything, fc.string()),
      image_url: anything,
      alternatives: anything,
    });
    fc.assert(
      fc.property(
        fc.oneof(anything, fc.record({ data: fc.oneof(anything, fc.array(fc.oneof(anything, hostile))) })),
        (body) => {
          for (const card of readCards(body) ?? []) {
            expect(card.url).toMatch(/^https?:\/\//i);
            expect(card.image === '' || /^https?:\/\//i.test(card.image)).toBe(true);
            const { _alternatives, ...texts } = pick(card, 'reader', readCards);
            for (const value of Object.values({ ...texts, alternative: '' })) expect(typeof value).toBe('string');
          }
        },
      ),
    );
  });
});
