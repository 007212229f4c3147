// Slots of connections, whose networks strangers choose: what is kept of each, and for how long.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createPlaces } from '../../server/http/places.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

function heapUsed(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

test('of networks whose connections are refused, nothing is kept', () => {
  const places = createPlaces({ total: 1, perNetwork: 1 });
  places.take('busy', () => {})!.busy();
  const before = heapUsed();
  const networks = 200_000;
  for (let network = 0; network < networks; network++) places.take(`2001:db8:${network}`, () => {});
  expect(places.counts().refused).toEqual({ network: 0, total: networks });
  expect(heapUsed() - before).toBeLessThan(networks * 20);
});

test('a displaced connection that closes late takes the bound from no network', () => {
  const places = createPlaces({ total: 3, perNetwork: 2 });
  const late = ['a', 'a'].map((network) => places.take(network, () => {})!);
  // Idle ones give their slots to others.
  const others = ['b', 'c', 'd'].map((network) => places.take(network, () => {})!);
  late[0]!.free();
  for (const other of others) other.free();
  for (const network of ['a', 'a']) places.take(network, () => {})!.busy();
  late[1]!.free();
  expect(places.take('a', () => {})).toBeUndefined();
  expect(places.counts().refused).toEqual({ network: 1, total: 0 });
});
