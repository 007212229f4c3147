// Which kind of parameter stands under which name, all over the interface.
import type { Parameter } from '../../server/reference/openapi.ts';
import {
  address,
  addresses,
  callback,
  lookBack,
  moment,
  NUL,
  type Row,
  rules,
  text,
  texts,
  whole,
  word,
  words,
} from './parameterKinds.ts';

/** How wide pictures are by how high. */
const shape = (): Row => ({
  ...text(),
  valid: {
    accepted: [
      ['none', 'off'],
      ['a number', '1.5'],
      ['upright', '0.8'],
    ],
  },
  'wrong type': { refused: [NUL, ['a word', 'wide'], ['a fraction', '16/9'], ['signed', '+1.5']] },
  'out of range': {
    refused: [
      ['too narrow', '0.1'],
      ['too wide', '5.1'],
      ['negative', '-1'],
    ],
  },
  repeated: {
    accepted: [['the last one counts', ['wide', '1.5']]],
    refused: [['the last one counts', ['1.5', 'wide']]],
  },
  huge: { refused: [['five thousand digits', '1'.repeat(5000)]] },
  unicode: { refused: [['a digit of Japan', '１']] },
});

/** Address of an image service. */
const service = (): Row => ({
  ...text(),
  valid: { accepted: [['a service', 'https://cdn.example/w={width}/{url}']] },
  'wrong type': {
    refused: [NUL, ['no picture', 'https://cdn.example/'], ['no scheme', 'cdn.example/{url}']],
  },
  'out of range': { refused: [['another scheme', 'javascript:{url}']] },
  repeated: {
    accepted: [['the last one counts', ['x', 'https://cdn.example/{url}']]],
    refused: [['the last one counts', ['https://cdn.example/{url}', 'x']]],
  },
  unicode: { accepted: [['any script', 'https://bücher.example/{url}']] },
});

/** The line under a title. */
const metaLine = (): Row => ({
  ...text(),
  valid: {
    accepted: [
      ['two', 'section date'],
      ['none', 'off'],
    ],
  },
  'wrong type': { refused: [NUL, ['another word', 'nonsense']] },
  'out of range': { refused: [['four', 'date date date date']] },
  repeated: {
    accepted: [['the last one counts', ['nonsense', 'date']]],
    refused: [['the last one counts', ['date', 'x']]],
  },
  unicode: { refused: [['a balloon', '🎈']] },
});

/** A dial. */
const share = (): Row => ({
  ...text(),
  valid: {
    accepted: [
      ['a share', '0.5'],
      ['without a zero', '.25'],
      ['both ends', '1'],
      ['with the digits of a sum', String(0.1 + 0.2)],
    ],
  },
  'wrong type': { refused: [NUL, ['a word', 'half'], ['with a comma', '0,5'], ['signed', '+0.5']] },
  'out of range': {
    refused: [
      ['too much', '1.1'],
      ['negative', '-0.1'],
    ],
  },
  repeated: {
    accepted: [['the last one counts', ['half', '0.5']]],
    refused: [['the last one counts', ['0.5', 'half']]],
  },
  huge: { refused: [['five thousand digits', '1'.repeat(5000)]] },
  unicode: { refused: [['a digit of Japan', '１']] },
});

const language = (): Row => ({
  ...metaLine(),
  valid: {
    accepted: [
      ['a language', 'de'],
      ['with a country', 'pt-BR'],
    ],
  },
  'wrong type': { refused: [['no tag', '12']] },
  'out of range': { refused: [['longer than any tag', `de-${'latn-'.repeat(9)}x1`]] },
  repeated: { accepted: [['the last one counts', ['12', 'de']]], refused: [['the last one counts', ['de', '12']]] },
});
/** Names of metrics, comma separated or repeated; `examples` has some that the list knows. */
const metrics = ({ schema }: Parameter): Row => {
  const [some = ''] = (schema.items as { examples: string[] }).examples;
  const [first = '', second = ''] = some.split(',');
  return {
    ...text(),
    valid: {
      accepted: [
        ['one', first],
        ['two', some],
        ['spaces and an empty one', ` ${first} , ,${second}`],
        ['an older name', '_hits'],
      ],
    },
    'wrong type': { refused: [NUL, ['another word', 'nonsense'], ['one of them wrong', `${first},nonsense`]] },
    'out of range': { refused: [['another case', first.toUpperCase()]] },
    repeated: { accepted: [['two', [first, second]]], refused: [['one of them wrong', [first, 'nonsense']]] },
    unicode: { refused: [['a balloon', '🎈']] },
  };
};

const oneOrMore = (parameter: Parameter): Row => (parameter.schema.type === 'array' ? texts : text)(parameter);
const addressOrMore = (parameter: Parameter): Row =>
  (parameter.schema.type === 'array' ? addresses : address)(parameter);

/** Every parameter of the interface by name. One that is not here has no row, and the test of rows fails. */
export const ROWS: Record<string, (parameter: Parameter) => Row> = {
  archived: word,
  dry_run: word,
  attribution_type: word,
  author: oneOrMore,
  callback,
  campaign_content: text,
  campaign_id: text,
  campaign_key: word,
  campaign_medium: text,
  campaign_source: text,
  campaign_term: text,
  channel: word,
  columns: whole,
  compare: word,
  conversion_label: texts,
  conversion_type: words,
  days: whole,
  device: word,
  diversity: share,
  document: word,
  domain: text,
  exclude: rules,
  experiment: text,
  explain: word,
  fallback: address,
  fill: word,
  freshness: share,
  group: word,
  heading: text,
  heading_level: whole,
  image: shape,
  image_src: service,
  interval: word,
  itm: text,
  label: text,
  lang: language,
  layout: word,
  limit: whole,
  posts: whole,
  list: word,
  meta: metaLine,
  metrics,
  mix: share,
  name: text,
  page: whole,
  page_type: word,
  period_end: moment,
  period_start: moment,
  popularity: share,
  prefix: word,
  position: whole,
  pub_date_end: moment,
  pub_date_start: moment,
  pub_days: whole,
  q: text,
  referrer: text,
  repeat: word,
  respect_empty_results: word,
  rules: text,
  section: oneOrMore,
  segment: text,
  shadow: word,
  slot: text,
  sort: word,
  source: word,
  tag: oneOrMore,
  time: lookBack,
  totals: word,
  type: word,
  url: addressOrMore,
  post: address,
  uuid: text,
  variant: text,
};
