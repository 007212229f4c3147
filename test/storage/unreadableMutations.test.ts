// What a full disk leaves of statements that remove rows, made by hand: files that are empty, or end in the middle.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { connect } from '../../server/storage/connect.ts';
import { migratedScratch } from './scratch.ts';

const place = await migratedScratch();
afterAll(() => place.remove());

const mutations = () =>
  readdirSync(place.engine.path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^store\/.*\/mutation_\d+\.txt$/.test(name))
    .sort();

test('files of statements that were not written whole are removed at the start, and others stay', async () => {
  const first = await connect(place.engine);
  for (let at = 0; at < 2; at++) await first.command(`ALTER TABLE sites DELETE WHERE site = 'a.example'`);
  await first.close();
  const whole = mutations();
  expect(whole.length).toBeGreaterThan(0);
  const text = readFileSync(join(place.engine.path, whole[0]!), 'utf8');
  const lines = text.split('\n').slice(0, 2).join('\n');
  for (const [at, cut] of ['', 'format', `${lines}\n`, text.slice(0, -1)].entries())
    writeFileSync(join(place.engine.path, whole[0]!, '..', `mutation_${100 + at}.txt`), cut);

  const said: { files?: string[] }[] = [];
  const engine = await connect(place.engine, pino({}, { write: (line: string) => void said.push(JSON.parse(line)) }));
  expect(await engine.rows('SELECT count() AS sites FROM sites')).toEqual([{ sites: 0 }]);
  await engine.command(`ALTER TABLE sites DELETE WHERE site = 'b.example'`);
  await engine.close();
  expect(said.map(({ files }) => files?.length)).toEqual([4]);
  expect(mutations()).toEqual(expect.arrayContaining(whole));
});
