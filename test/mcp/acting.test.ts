// Tools that change something, by HTTP: for the write secret alone, with a dry run, and undone by the tool that an answer names.
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACTING, use } from '../support/assistants.ts';
import { type AssistedPaper, openAssistedPaper } from '../support/assistedPaper.ts';
import { A, B } from '../support/smallPaper.ts';
import { until } from '../support/until.ts';

let paper: AssistedPaper;
let room: AssistedPaper['room'];
let reader: AssistedPaper['reader'];
let writer: AssistedPaper['writer'];
let api: AssistedPaper['api'];

beforeAll(async () => {
  paper = await openAssistedPaper();
  ({ room, reader, writer, api } = paper);
});
afterAll(() => paper?.close());

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name).sort();

describe('tools that change something', () => {
  const input = {
    name: 'grid-or-list',
    slot: 'end',
    variants: [
      { name: 'control', share: 50 },
      { name: 'grid', share: 50, layout: 'grid' },
    ],
  };

  const hidden = async () => (await api('/v2/exclude/list')).data;
  const experiments = async () => (await api('/v2/experiments?archived=1')).data as { name: string; state: string }[];

  /** Uses the tool that an answer names to undo it. */
  const undo = async ({ structuredContent }: Awaited<ReturnType<typeof use>>) => {
    const { tool, arguments: args } = structuredContent.undo!;
    return await use(writer, tool!, args);
  };

  test('are listed for the write secret only, and say that they change something', async () => {
    const names = await namesOf(writer);
    expect(names.filter((name) => ACTING.includes(name))).toEqual(ACTING);
    const { tools } = await writer.listTools();
    for (const tool of tools.filter(({ name }) => ACTING.includes(name))) {
      expect(tool.annotations?.readOnlyHint).toBe(false);
      expect(tool.inputSchema.properties).toHaveProperty('dry_run');
    }
  });

  test('are refused with the read secret, and nothing changes', async () => {
    for (const [tool, args] of [
      ['post_hide', { url: A }],
      ['post_show', { url: A }],
      ['page_read_again', { url: A }],
      ['settings_change', { dials: { mix: 1 } }],
      ['frontier_measure', {}],
      ['annotation_add', { label: 'New front page' }],
      ['annotation_remove', { id: '0123456789ab' }],
      ['rules_set', { name: 'front', rules: [{ pin: A }] }],
      ['rules_remove', { name: 'front' }],
      ['experiment_start', input],
      ['experiment_stop', { name: input.name }],
      ['experiment_archive', { name: input.name }],
      ['experiment_restore', { name: input.name }],
    ] as const) {
      const { structuredContent, isError } = await use(reader, tool, args);
      expect(isError).toBe(true);
      expect(structuredContent.answer).toEqual({
        code: 403,
        message: `${tool} changes something: it takes the write secret of the site.`,
        success: false,
      });
    }
    expect([await hidden(), await experiments()]).toEqual([[], []]);
  });

  test('a post is hidden and shown again; a dry run changes nothing', async () => {
    const dry = await use(writer, 'post_hide', { url: A, dry_run: true });
    expect(dry.structuredContent).toMatchObject({ dry_run: true, answer: { success: true } });
    expect(await hidden()).toEqual([]);
    const done = await use(writer, 'post_hide', { url: A });
    expect(done.structuredContent).toMatchObject({
      dry_run: false,
      undo: { tool: 'post_show', arguments: { url: A } },
    });
    expect(await hidden()).toEqual([A]);
    const again = await use(writer, 'post_hide', { url: A });
    expect(again.structuredContent.undo).toEqual({ tool: null, says: 'It was hidden before.' });
    const otherwise = await use(writer, 'post_hide', { url: `${A.replace('https://paper', 'HTTPS://Paper')}#top` });
    expect(otherwise.structuredContent.undo).toEqual({ tool: null, says: 'It was hidden before.' });
    expect(await hidden()).toEqual([A]);
    await use(writer, 'post_show', { url: A, dry_run: true });
    expect(await hidden()).toEqual([A]);
    const shown = await undo(done);
    expect(await hidden()).toEqual([]);
    expect(shown.structuredContent.undo).toMatchObject({ tool: 'post_hide', arguments: { url: A } });
    const before = await use(writer, 'post_show', { url: A });
    expect(before.structuredContent.undo).toEqual({ tool: null, says: 'It was not hidden.' });
  });

  test('a page is queued to be read again; in a dry run it is not', async () => {
    const queue = async () =>
      (await room.deps.store.crawlQueue.get(room.site.id, [B])).map(({ requested }) => requested);
    const before = await queue();
    const dry = await use(writer, 'page_read_again', { url: B, dry_run: true });
    expect(dry.structuredContent.answer.data).toEqual({ url: B, status: 'would be queued' });
    expect([before, await queue()]).toEqual([[], []]);
    const done = await use(writer, 'page_read_again', { url: B });
    expect(done.structuredContent).toMatchObject({
      answer: { data: { url: B, status: 'queued' } },
      undo: { tool: null },
    });
    expect(await queue()).toEqual([true]);
    const other = await use(writer, 'page_read_again', { url: 'https://other.example/a', dry_run: true });
    expect(other.structuredContent.answer).toMatchObject({ code: 422 });
  });

  test('dials are changed, and back to what they were, defaults included; a dry run and a refusal change nothing', async () => {
    const dials = async () => ((await api('/v2/settings')).data as { dials: object }[])[0]!.dials;
    const before = await dials();
    const dry = await use(writer, 'settings_change', { dials: { mix: 0.7 }, dry_run: true });
    expect(dry.structuredContent).toMatchObject({ dry_run: true, answer: { data: [{ dials: { mix: 0.7 } }] } });
    const refused = await use(writer, 'settings_change', { dials: { mix: 7 } });
    expect([refused.isError, refused.structuredContent.undo]).toEqual([true, undefined]);
    expect(await dials()).toEqual(before);
    const first = await use(writer, 'settings_change', { dials: { mix: 0.7 } });
    const second = await use(writer, 'settings_change', { dials: { mix: 0.2, freshness: 1 } });
    expect(await dials()).toMatchObject({ mix: 0.2, freshness: 1 });
    await undo(second);
    expect(await dials()).toMatchObject({ mix: 0.7, freshness: null });
    await undo(first);
    expect(await dials()).toEqual(before);
  });

  test('a measurement of the mix dial begins, and there is nothing to undo; a dry run begins none', async () => {
    const measured = async () => ((await api('/v2/frontier')).data as { state: string }[])[0]!;
    const before = await measured();
    const dry = await use(writer, 'frontier_measure', { dry_run: true });
    expect(dry.structuredContent).toMatchObject({ dry_run: true, answer: { data: [{ state: 'running' }] } });
    expect([before.state, await measured()]).toEqual(['none', before]);
    const begun = await use(writer, 'frontier_measure');
    expect(begun.structuredContent).toMatchObject({
      dry_run: false,
      answer: { data: [{ state: 'running', progress: { done: 0, total: 0 } }] },
      undo: { tool: null, says: 'Nothing to undo: a measurement changes no list and no setting.' },
    });
    await until('the measurement ends', async () => (await measured()).state === 'too-few');
  });

  test('a set of rules is written, replaced and removed, each time back to what it was; a dry run changes nothing', async () => {
    const rules = async () => (await api('/v2/rules')).data;
    await use(writer, 'rules_set', { name: 'front', always: true, rules: [{ pin: A }], dry_run: true });
    expect(await rules()).toEqual([]);
    const first = await use(writer, 'rules_set', { name: 'front', always: true, rules: [{ pin: A }] });
    const before = await rules();
    const second = await use(writer, 'rules_set', {
      name: 'front',
      rules: [{ hide: { url: B }, until: '2040-04-01' }],
    });
    expect(await rules()).toMatchObject([{ always: false, rules: [{ hide: { url: B } }] }]);
    const stale = { version: (before as unknown as { version: string }[])[0]!.version };
    for (const [tool, args] of [
      ['rules_set', { name: 'front', rules: [], ...stale }],
      ['rules_remove', { name: 'front', ...stale }],
    ] as const)
      expect((await use(writer, tool, args)).structuredContent.answer.message).toBe('Bad parameters: version');
    await undo(second);
    expect(await rules()).toEqual(before);
    // An editor has changed it since: that is not undone as well.
    const other = await use(writer, 'rules_set', { name: 'front', rules: [{ hide: { url: B } }] });
    await use(writer, 'rules_set', { name: 'front', rules: [{ pin: A }, { hide: { url: B } }] });
    expect((await undo(other)).isError).toBe(true);
    await use(writer, 'rules_set', { name: 'front', always: true, rules: [{ pin: A }] });
    const removed = await use(writer, 'rules_remove', { name: 'front' });
    expect(await rules()).toEqual([]);
    await undo(removed);
    expect(await rules()).toEqual(before);
    await undo(first);
    expect(await rules()).toEqual([]);
    const refused = await use(writer, 'rules_remove', { name: 'gone' });
    expect([refused.isError, refused.structuredContent.undo]).toEqual([true, undefined]);
  });

  test('what happened is written, removed and written again; a dry run and a refusal change nothing', async () => {
    const own = async () =>
      ((await api('/v2/analytics/annotations')).data as { id: string | null; label: string; url: string }[])
        .filter(({ id }) => id !== null)
        .map(({ label, url }) => [label, url]);
    const said = { label: '<b>Deploy</b> Ω', kind: 'deploy', date: '1h', url: A };
    await use(writer, 'annotation_add', { ...said, dry_run: true });
    for (const wrong of [{ label: 'x', kind: 'published' }, { label: 'x', date: '1999-01-01' }, { label: '\u0007' }])
      expect((await use(writer, 'annotation_add', wrong)).isError).toBe(true);
    expect(await own()).toEqual([]);
    const added = await use(writer, 'annotation_add', said);
    expect(await own()).toEqual([[said.label, A]]);
    const { time: date } = (added.structuredContent.answer.data as { time: string }[])[0]!;
    await use(writer, 'annotation_add', { label: 'Outage', date });
    const twice = await use(writer, 'annotation_add', { label: 'Outage', date });
    expect(twice.structuredContent.undo).toEqual({ tool: null, says: 'It was written before.' });
    const [outage] = twice.structuredContent.answer.data as { id: string }[];
    await use(writer, 'annotation_remove', { id: outage!.id });
    const { arguments: named } = added.structuredContent.undo!;
    await use(writer, 'annotation_remove', { ...named, dry_run: true });
    expect(await own()).toEqual([[said.label, A]]);
    const removed = await undo(added);
    expect(await own()).toEqual([]);
    expect((await use(writer, 'annotation_remove', { ...named })).isError).toBe(true);
    const again = await undo(removed);
    expect(await own()).toEqual([[said.label, A]]);
    await undo(again);
    expect(await own()).toEqual([]);
  });

  test('an experiment starts, ends, is archived and comes back, each by the tool that undoes the one before', async () => {
    const states = async () => (await experiments()).map(({ name, state }) => `${name} ${state}`);
    const dry = await use(writer, 'experiment_start', { ...input, dry_run: true });
    expect(dry.structuredContent.answer).toMatchObject({ data: [{ name: input.name, state: 'running' }] });
    expect(await states()).toEqual([]);
    const started = await use(writer, 'experiment_start', input);
    expect(await states()).toEqual(['grid-or-list running']);

    const dryStop = await use(writer, 'experiment_stop', { name: input.name, dry_run: true });
    expect(dryStop.structuredContent.answer).toMatchObject({ data: [{ state: 'stopped' }] });
    expect(await states()).toEqual(['grid-or-list running']);
    const stopped = await undo(started);
    expect(await states()).toEqual(['grid-or-list stopped']);

    const again = await undo(stopped);
    expect(again.structuredContent.answer).toMatchObject({
      data: [{ ...input, name: 'grid-or-list-2', state: 'running' }],
    });
    await undo(again);
    expect(await states()).toEqual(['grid-or-list stopped', 'grid-or-list-2 stopped']);

    await use(writer, 'experiment_archive', { name: input.name, dry_run: true });
    expect(await states()).toEqual(['grid-or-list stopped', 'grid-or-list-2 stopped']);
    const archived = await use(writer, 'experiment_archive', { name: input.name });
    expect(await states()).toEqual(['grid-or-list archived', 'grid-or-list-2 stopped']);
    const twice = await use(writer, 'experiment_archive', { name: input.name });
    expect(twice.structuredContent.undo).toEqual({ tool: null, says: 'It was archived before.' });
    await use(writer, 'experiment_restore', { name: input.name, dry_run: true });
    expect(await states()).toEqual(['grid-or-list archived', 'grid-or-list-2 stopped']);
    const restored = await undo(archived);
    expect(await states()).toEqual(['grid-or-list stopped', 'grid-or-list-2 stopped']);
    await undo(restored);
    expect(await states()).toEqual(['grid-or-list archived', 'grid-or-list-2 stopped']);
  });

  test('answer the refusals of the API, without an undo', async () => {
    const twoControls = { ...input, name: 'other', variants: input.variants.slice(0, 1) };
    for (const [tool, args] of [
      ['experiment_start', twoControls],
      ['experiment_start', { ...twoControls, dry_run: true }],
      ['experiment_stop', { name: 'none', dry_run: true }],
      ['experiment_restore', { name: 'grid-or-list-2', dry_run: true }],
    ] as const) {
      const { structuredContent, isError } = await use(writer, tool, args);
      expect([isError, structuredContent.answer.code]).toEqual([true, 422]);
      expect(structuredContent).not.toHaveProperty('undo');
    }
  });
});
