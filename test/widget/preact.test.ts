// @vitest-environment happy-dom
// The widget's Preact has less in it. What is left does what Preact does: whatever is drawn, and whatever is drawn over it.
import fc from 'fast-check';
import * as whole from 'preact';
import { build, type Rolldown } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';
import { smallPreact } from '../../widget/build/smallPreact.ts';

type Preact = Pick<typeof whole, 'h' | 'render'>;
/** An element with its key, attributes and children; a text; nothing; several; what a component draws. */
type Drawing =
  | string
  | null
  | Drawing[]
  | { tag: string; key?: string; props: Record<string, unknown>; children: Drawing[] };

const ENTRY = '\0entry';

async function built(...plugins: Rolldown.Plugin[]): Promise<string> {
  const entry: Rolldown.Plugin = {
    name: 'entry',
    resolveId: (id) => (id === ENTRY ? id : null),
    load: (id) => (id === ENTRY ? "export { h, render } from 'preact';" : null),
  };
  const output = (await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [entry, ...plugins, smallPreact()],
    build: { write: false, minify: false, rolldownOptions: { input: ENTRY, preserveEntrySignatures: 'strict' } },
  })) as Rolldown.RolldownOutput;
  return output.output[0].code;
}

const props = fc.record(
  {
    class: fc.constantFrom('a', 'b'),
    title: fc.constantFrom('x', 'y', ''),
    style: fc.constantFrom('color: red', 'top: 0px'),
    'aria-hidden': fc.boolean(),
    hidden: fc.boolean(),
    href: fc.constantFrom('/a', '/b'),
    onClick: fc.constant(() => {}),
  },
  { requiredKeys: [] },
);
const { drawing } = fc.letrec<{ drawing: Drawing }>((tie) => ({
  drawing: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<Drawing>('text', 'other', '', null),
    fc.record({
      tag: fc.constantFrom('p', 'b', 'a', 'svg', 'Component'),
      props,
      children: fc.array(tie('drawing'), { maxLength: 4 }),
    }),
    fc
      .uniqueArray(fc.constantFrom('1', '2', '3', '4', '5', '6'))
      .map((keys) => keys.map((key) => ({ tag: 'li', key, props: {}, children: [key] }))),
  ),
}));

function toNode(drawn: Drawing, { h }: Preact): whole.ComponentChild {
  if (drawn === null || typeof drawn === 'string') return drawn;
  if (Array.isArray(drawn)) return drawn.map((one) => toNode(one, { h } as Preact));
  const children = drawn.children.map((child) => toNode(child, { h } as Preact));
  const type = drawn.tag === 'Component' ? Several : drawn.tag;
  return h(type as 'p', { ...drawn.props, ...(drawn.key && { key: drawn.key }) }, ...children);
}

const Several = (given: { children?: whole.ComponentChildren }): whole.ComponentChildren => given.children;

describe('Preact as the widget has it', () => {
  let small: Preact;
  let code: string;
  beforeAll(async () => {
    code = await built();
    small = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)) as Preact;
  });

  it('draws what Preact draws, over whatever was there', () => {
    fc.assert(
      fc.property(fc.array(drawing, { minLength: 1, maxLength: 5 }), (drawings) => {
        const [one, other] = [document.createElement('div'), document.createElement('div')];
        for (const drawn of drawings) {
          small.render(toNode(drawn, small), one);
          whole.render(toNode(drawn, whole), other);
          expect(one.innerHTML).toBe(other.innerHTML);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the elements of posts that stay, in another order', () => {
    const list = document.createElement('ul');
    const draw = (keys: string): void =>
      small.render(
        [...keys].map((key) => small.h('li', { key }, key)),
        list,
      );
    draw('abcde');
    const before = new Map([...list.children].map((item) => [item.textContent, item]));
    draw('edxba');
    expect(list.textContent).toBe('edxba');
    for (const item of list.children) if (item.textContent !== 'x') expect(before.get(item.textContent)).toBe(item);
  });

  it('calls the handler drawn last, and takes nothing for a reference', () => {
    const heard: unknown[] = [];
    const root = document.createElement('div');
    const ref = (): void => void heard.push('ref');
    for (const name of ['first', 'last'])
      small.render(small.h('b', { ref, onClick: () => void heard.push(name) }), root);
    root.querySelector('b')!.click();
    small.render(null, root);
    expect(heard).toEqual(['last']);
  });

  it('lets an error out, and draws again after it', () => {
    const root = document.createElement('div');
    const Broken = (): never => {
      throw new Error('broken');
    };
    expect(() => small.render(small.h(Broken, null), root)).toThrow('broken');
    small.render(small.h('b', null, 'well'), root);
    expect(root.textContent).toBe('well');
  });

  it('does not take an object of the server for an element', () => {
    const root = document.createElement('div');
    const forged = JSON.parse('{"type":"b","props":{"children":"forged"},"constructor":"pv"}') as whole.VNode;
    small.render(forged, root);
    expect(root.innerHTML).toBe('');
  });

  it('has no trace of what is left out', () => {
    expect(code).not.toMatch(/componentDid|getDerivedState|setState|dangerouslySet|startsWith|_refCleanup/);
  });

  it('is not built of a Preact that has changed', async () => {
    const renamed: Rolldown.Plugin = {
      name: 'renamed',
      transform: (text, id) => (id.includes('/preact/src/') ? text.replaceAll('isClassComponent', 'isClass') : null),
    };
    await expect(built({ ...renamed, enforce: 'pre' } as Rolldown.Plugin)).rejects.toThrow('isClassComponent');
  });
});
