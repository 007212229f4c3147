// The table of docs/attributes.md, as the declaration of the attributes has it.
import { ATTRIBUTES, type Attribute, type Takes } from '../../server/contract/attributes.ts';

const code = (text: string): string => `\`${text}\``;

function valuesOf(takes: Takes): string {
  switch (takes.is) {
    case 'choice':
      return takes.values.map(code).join(', ');
    case 'words':
      return `${takes.values.map(code).join(', ')}, with spaces between; ${code(takes.none)}`;
    case 'whole':
      return `${takes.min}–${takes.max}`;
    case 'ratio':
      return '`off`, or width ÷ height, such as `1.5`';
    default:
      return NAMES[takes.is];
  }
}

const NAMES = {
  text: 'text',
  query: 'query string',
  siteId: 'Site ID',
  url: 'URL',
  picture: 'URL',
  server: 'URL',
  imageService: 'address with `{url}`, `{width}`',
  moment: 'a date, or `30d`',
  exclusions: '`author:`, `section:` or `tag:` and a value; several with a vertical bar between',
} as const;

const KINDS = { top: 'Most read only', related: 'Related only' } as const;

function rowOf({ name, on, takes, initial, otherwise, of, sentence, more }: Attribute): string {
  const mark = on === undefined ? '' : ` (*${on}*)`;
  const fallback = otherwise ?? (initial === undefined ? '–' : code(initial));
  const isOwn = of !== undefined && !('mostRelated' in takes);
  const meaning = [...(isOwn ? [`${KINDS[of]}.`] : []), sentence, ...(more ? [`${more}.`] : [])].join(' ');
  const cells = [code(name) + mark, valuesOf(takes), fallback, meaning];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

export const attributeTable = (): string =>
  ['| Name | Values | Default | Meaning |', '| --- | --- | --- | --- |', ...ATTRIBUTES.map(rowOf)].join('\n');
