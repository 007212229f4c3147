// Names with NUL, which no parameter has, and names that are cut: what is stored can be asked for.
import { expect, test } from 'vitest';
import { newPage, newsroom, site } from './newsroom.ts';

const room = newsroom();

test('NUL is taken out of the label of a conversion and the id of a video', async () => {
  const url = newPage();
  const about = { idsite: site.id, url };
  const conversion = { ...about, action: 'conversion', data: { _conversion_label: 'Dai\0ly' } };
  const starts = ['yt-\0dQw4', '\0'].map((link) => ({ ...about, action: 'videostart', metadata: { link } }));
  expect((await room.post({ events: [conversion, ...starts] })).status).toBe(200);
  const rows = await room.stored(url);
  const of = (action: string) => rows.filter((row) => row.action === action);
  expect(of('conversion')).toMatchObject([{ conversion_label: 'Daily' }]);
  expect(
    of('videostart')
      .map(({ video }) => video)
      .sort(),
  ).toEqual([url, 'yt-dQw4'].sort());
});

test('a label that is cut ends with a whole character', async () => {
  const url = newPage();
  const data = { _conversion_label: `${'x'.repeat(199)}😀` };
  expect((await room.post({ events: [{ idsite: site.id, url, action: 'conversion', data }] })).status).toBe(200);
  expect(await room.stored(url)).toMatchObject([{ conversion_label: 'x'.repeat(199) }]);
});
