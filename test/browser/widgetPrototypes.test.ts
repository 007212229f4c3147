// Pages that change or freeze the language's own objects, as old libraries and hardened pages do: what is reported is right all the same.

import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { articlePage, type Stage } from '../support/stage.ts';
import { stagedPages } from '../support/stagedPages.ts';
import { until } from '../support/until.ts';

/** As Prototype.js 1.6 does it. */
const PROTOTYPE_JS = `
  const quoted = (text) => '"' + text.replace(/"/g, '\\\\"') + '"';
  Object.toJSON = (object) => {
    if (object === undefined || typeof object === 'function') return undefined;
    if (object === null || typeof object === 'boolean') return String(object);
    if (object.toJSON) return object.toJSON();
    return '{' + Object.keys(object).filter((name) => Object.toJSON(object[name]) !== undefined)
      .map((name) => quoted(name) + ': ' + Object.toJSON(object[name])).join(', ') + '}';
  };
  Array.prototype.each = function (iterator) { for (let i = 0; i < this.length; i++) iterator(this[i], i); };
  Array.prototype.toJSON = function () { return '[' + Array.prototype.slice.call(this).join.call(this.map(Object.toJSON), ', ') + ']'; };
  String.prototype.toJSON = function () { return quoted(this); };
  Number.prototype.toJSON = function () { return String(this); };
  Date.prototype.toJSON = function () { return '"' + this.toISOString() + '"'; };
  Array.prototype.map = Array.prototype.collect = function (iterator = (x) => x) {
    const results = []; this.each((value, index) => results.push(iterator(value, index))); return results;
  };
  Array.prototype.filter = Array.prototype.findAll = function (iterator) {
    const results = []; this.each((value, index) => { if (iterator(value, index)) results.push(value); }); return results;
  };
  Array.prototype.reduce = function () { return this.length > 1 ? this : this[0]; };
  Array.prototype.entries = Array.prototype.toArray = function () { return [].concat(this); };
  Array.from = window.$A = (iterable) => {
    if (!iterable) return [];
    let length = iterable.length || 0; const results = new Array(length);
    while (length--) results[length] = iterable[length];
    return results;
  };`;

const PAGES: Record<string, string> = {
  'has Prototype.js 1.6': PROTOTYPE_JS,
  'has a method toJSON on everything': `
    for (const made of [Object, Array, String, Number, Date, Function]) made.prototype.toJSON = () => 'mine';`,
  'has methods of its own on the prototypes of objects and lists': `
    for (const name of ['each', 'clone', 'extend', 'size', 'first', 'contains', 'inject', 'keys', 'merge'])
      Object.prototype[name] = Array.prototype[name] = function () { throw new Error(name); };`,
  'has frozen the prototypes': `
    for (const made of [Object, Array, Function, String, Promise, Set, Map]) Object.freeze(made.prototype);`,
  'has replaced methods of lists': `
    for (const name of ['map', 'filter', 'reduce', 'forEach', 'find', 'flat', 'concat', 'slice', 'indexOf', 'includes'])
      Array.prototype[name] = () => undefined;
    Array.from = () => undefined;`,
};

describeInBrowser('a page that', (browser) => {
  let stage: Stage;
  let page: Page;
  let errors: string[];
  stagedPages(browser, (opened) => {
    ({ stage, page } = opened);
  });
  beforeEach(() => {
    errors = [];
    page.on('pageerror', (error) => errors.push(String(error)));
  });

  const conversion = `(window.afterword ||= []).push((a) => a.conversion('subscription', 'a "yearly" one\\u2028'))`;

  /** The widget's script comes last, as it does where it is loaded `async`. */
  async function open(script: string, headers: Record<string, string> = {}): Promise<void> {
    const html = articlePage(stage, '<p>Text</p>').replace('<head>', `<head><script>${script};${conversion}</script>`);
    await page.goto(stage.page('/page', html, headers));
  }
  const expected = () => [
    { idsite: 'example.com', action: 'conversion', url: `${stage.site}/page` },
    { idsite: 'example.com', action: 'pageview', url: `${stage.site}/page`, urlref: '' },
  ];

  it.each(Object.keys(PAGES))('%s has its events sent as JSON', async (name) => {
    await open(PAGES[name]!);
    const calls = () => stage.calls.filter(({ path }) => path === '/events');
    const [call] = await until('events are sent', () => (calls().length > 0 ? calls() : undefined));
    const { events } = JSON.parse(call!.body);
    expect(events).toBeInstanceOf(Array);
    expect(events).toMatchObject(expected());
    for (const event of events) {
      expect(event.eid).toMatch(/^[0-9a-f]{32}$/);
      expect(event.date).toBeTypeOf('number');
      expect(event.data.parsely_site_uuid).toMatch(/^[0-9a-f]{32}$/);
    }
    expect(events[0].data).toMatchObject({
      _conversion_type: 'subscription',
      _conversion_label: 'a "yearly" one\u2028',
    });
    expect(errors).toEqual([]);
  });

  it.each(['has Prototype.js 1.6', 'has a method toJSON on everything'])(
    '%s has its events sent as pixels where it forbids connections',
    async (name) => {
      const policy = `default-src 'none'; script-src 'unsafe-inline' ${stage.host}; img-src data: ${stage.host}`;
      await open(PAGES[name]!, { 'Content-Security-Policy': policy });
      const pixels = () => stage.calls.filter(({ path }) => path === '/plogger/').map(({ query }) => query);
      const [first] = await until('both are sent', () => (pixels().length > 1 ? pixels() : undefined));
      expect(first!.get('action')).toBe('conversion');
      expect(JSON.parse(first!.get('data')!)).toMatchObject({
        _conversion_type: 'subscription',
        _conversion_label: 'a "yearly" one\u2028',
        parsely_site_uuid: expect.stringMatching(/^[0-9a-f]{32}$/),
      });
    },
  );
});
