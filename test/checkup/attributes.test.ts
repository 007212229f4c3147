// The check of a page knows every attribute that is declared, and takes what the widget takes.
import { expect, test } from 'vitest';
import { checkLists } from '../../server/checkup/checkLists.ts';
import { ATTRIBUTES, type Attribute } from '../../server/contract/attributes.ts';

const slot = (data: Record<string, string>) => ({ element: 'div', data: { afterword: 'related', ...data }, bare: [] });
const tag = (data: Record<string, string>) => ({
  element: 'script',
  data: { site: 'paper.example', ...data },
  bare: [],
});

const EXAMPLES: Readonly<Record<string, string>> = {
  whole: '1',
  ratio: '1.5',
  text: 'Opinion',
  query: 'itm_campaign=related',
  siteId: 'paper.example',
  url: 'https://paper.example/a',
  picture: '/fallback.jpg',
  server: 'https://stats.example/',
  imageService: 'https://cdn.example/w={width}/{url}',
  moment: '30d',
  exclusions: 'section:Opinion|tag:sponsored',
};

const examplesOf = ({ takes }: Attribute): readonly string[] => {
  if (takes.is === 'choice') return takes.values;
  if (takes.is === 'words') return [takes.values.join(' '), takes.none];
  return [EXAMPLES[takes.is]!];
};

const findings = (attribute: Attribute, value: string) =>
  attribute.on === 'tag'
    ? checkLists([slot({})], tag({ [attribute.name]: value }))
    : checkLists([slot({ [attribute.name]: value })], tag({}));

test('every value that an attribute takes passes, also where the tag names its server or reports nothing', () => {
  for (const attribute of ATTRIBUTES as readonly Attribute[])
    for (const value of examplesOf(attribute)) {
      const found = findings(attribute, value);
      expect([attribute.name, value, found.map(({ state }) => state)]).toEqual([attribute.name, value, ['ok']]);
    }
});

test('a value of a closed list that is none of it is reported with those it takes', () => {
  for (const attribute of ATTRIBUTES as readonly Attribute[]) {
    if (attribute.takes.is !== 'choice') continue;
    const [finding] = findings(attribute, 'nonsense');
    expect([attribute.name, finding?.remedy]).toEqual([
      attribute.name,
      `It takes ${attribute.takes.values.join(', ')}.`,
    ]);
  }
});

test('a name that is nearly one that is declared is asked about', () => {
  for (const name of ['layuot', 'image_src', 'heading_level', 'excludes'])
    expect(checkLists([slot({ [name]: 'x' })], undefined)[0]?.remedy).toMatch(/^Was data-[a-z-]+ meant\?$/);
  expect(checkLists([], tag({ sever: 'https://stats.example/' }))[0]?.remedy).toBe('Was data-server meant?');
});
