// What may be written where a parameter stands, by kind of parameter: eight columns, each with what is accepted and what is refused.
import type { Parameter } from '../../server/reference/openapi.ts';
import { A } from '../support/smallPaper.ts';

type Value = string | string[];

export const COLUMNS = ['empty', 'valid', 'wrong type', 'out of range', 'repeated', 'huge', 'unicode'] as const;

export type Cell = [what: string, value: Value];

/** Absent is the eighth column: every request that says nothing else. */
export type Row = Record<(typeof COLUMNS)[number], { accepted?: Cell[]; refused?: Cell[] }>;

const EMPTY = {
  accepted: [
    ['empty', ''],
    ['blank', ' '],
  ] satisfies Cell[],
};
const HUGE: Cell = ['five thousand letters', 'a'.repeat(5000)];
export const NUL: Cell = ['a NUL', 'a\0'];
const many = (count: number) => Array.from({ length: count }, (_, n) => String(n));

export function whole({ schema: { minimum, maximum } }: Parameter): Row {
  const [least, most] = [Number(minimum), Number(maximum)];
  return {
    empty: EMPTY,
    valid: { accepted: [['its least', String(least)]] },
    'wrong type': {
      refused: [
        ['a word', 'ten'],
        ['a fraction', '1.5'],
        ['hexadecimal', '0x1'],
        ['an exponent', '1e1'],
        ['signed', '+1'],
      ],
    },
    'out of range': {
      refused: [
        ['less', String(least - 1)],
        ['more', String(most + 1)],
        ['negative', '-1'],
      ],
    },
    repeated: {
      accepted: [['the last one counts', ['x', String(least)]]],
      refused: [['the last one counts', ['1', 'x']]],
    },
    huge: { refused: [['four hundred digits', '9'.repeat(400)]] },
    unicode: { refused: [['a digit of Japan', '１']] },
  };
}

export function word({ schema }: Parameter): Row {
  const [first = '', ...others] = schema.enum as string[];
  const last = others.at(-1) ?? first;
  const shouted = last.toUpperCase();
  return {
    empty: EMPTY,
    valid: { accepted: [first, ...others].map((one): Cell => [one, one]) },
    'wrong type': { refused: [['another word', 'nonsense']] },
    'out of range': { refused: shouted === last ? [] : [['another case', shouted]] },
    repeated: {
      accepted: [['the last one counts', ['nonsense', first]]],
      refused: [['the last one counts', [first, 'nonsense']]],
    },
    huge: { refused: [HUGE] },
    unicode: { refused: [['a balloon', '🎈']] },
  };
}

export function words(parameter: Parameter): Row {
  const items = parameter.schema.items as { enum: string[] };
  const [first = '', second = ''] = items.enum;
  const one = word({ ...parameter, schema: items });
  const wrong: Cell = ['one of them wrong', [first, 'nonsense']];
  const all = {
    accepted: [['two', [first, second]] satisfies Cell],
    refused: [wrong, ['too many', many(items.enum.length + 1)] satisfies Cell],
  };
  return { ...one, repeated: all };
}

export function moment(): Row {
  return {
    empty: EMPTY,
    valid: {
      accepted: [
        ['a date', '2040-03-20'],
        ['unpadded', '2040-3-1'],
        ['a time', '2040-03-19T10:20'],
        ['with seconds', '2040-03-19T10:20:30'],
        ['with a zone', '2040-03-19T10:20:30Z'],
        ['with an offset', '2040-03-19T10:20+01:00'],
        ['an offset whose plus became a space', '2040-03-19T10:20 01:00'],
        ['an offset of hours', '2040-03-19T10:20+01'],
        ['the end of a day', '2040-03-19T24:00'],
        ['a look-back', '2d'],
        ['a look-back in capitals', '2D'],
        ['in minutes', '90min'],
      ],
    },
    'wrong type': {
      refused: [
        ['a word', 'yesterday'],
        ['a number', '1234567890123'],
        ['slashes', '2040/03/20'],
      ],
    },
    'out of range': {
      refused: [
        ['no day of the calendar', '2040-02-30'],
        ['no month', '2040-13-01'],
        ['no hour', '2040-03-01T25:00'],
        ['later than the end of a day', '2040-03-01T24:01'],
        ['a look-back of nothing', '0d'],
      ],
    },
    repeated: {
      accepted: [['the last one counts', ['yesterday', '2d']]],
      refused: [['the last one counts', ['2d', 'yesterday']]],
    },
    huge: { refused: [['five thousand digits', '1'.repeat(5000)]] },
    unicode: { refused: [['wide digits', '２０４０-01-01']] },
  };
}

export function lookBack(): Row {
  return {
    ...moment(),
    valid: {
      accepted: [
        ['minutes', '5m'],
        ['hours', '24h'],
        ['in capitals', '24H'],
      ],
    },
    'wrong type': {
      refused: [
        ['a date', '2040-03-20'],
        ['a word', 'hour'],
      ],
    },
    'out of range': {
      refused: [
        ['no minute', '0m'],
        ['no day', '0d'],
      ],
    },
    repeated: { accepted: [['the last one counts', ['x', '1h']]], refused: [['the last one counts', ['1h', 'x']]] },
  };
}

/** Any text is a name; what is no text, or more of it than any name has, is not. */
export function text(): Row {
  return {
    empty: EMPTY,
    valid: {
      accepted: [
        ['a name', 'Bob'],
        ['quotes', `'"\\`],
      ],
    },
    'wrong type': { refused: [NUL] },
    'out of range': { refused: [['longer than any name', 'a'.repeat(1025)]] },
    repeated: { accepted: [['the last one counts', ['a', 'b']]] },
    huge: { refused: [HUGE] },
    unicode: { accepted: [['any script', 'Zoë 政治 🎈']] },
  };
}

export const texts = ({ schema }: Parameter): Row => ({
  ...text(),
  repeated: {
    accepted: [['as many as may be', many(Number(schema.maxItems))]],
    refused: [['one too many', many(Number(schema.maxItems) + 1)]],
  },
});

export const address = (): Row => ({
  empty: EMPTY,
  valid: {
    accepted: [
      ['an address', A],
      ['with a query', `${A}?a=1#top`],
    ],
  },
  'wrong type': {
    refused: [
      ['no scheme', 'paper.example/a'],
      ['a path', '/a'],
      ['no host', 'https://'],
    ],
  },
  'out of range': {
    refused: [
      ['another scheme', 'javascript:alert(1)'],
      ['a file', 'file:///etc/passwd'],
    ],
  },
  repeated: { accepted: [['the last one counts', ['x', A]]], refused: [['the last one counts', [A, 'x']]] },
  huge: { refused: [['a long one', `https://a/${'a'.repeat(3000)}`]] },
  unicode: { accepted: [['any script', 'https://paper.example/é?ü=🎈']] },
});

export const addresses = ({ schema }: Parameter): Row => ({
  ...address(),
  repeated: {
    accepted: [['as many as may be', Array(Number(schema.maxItems)).fill(A)]],
    refused: [
      ['one of them wrong', [A, 'x']],
      ['one too many', Array(Number(schema.maxItems) + 1).fill(A)],
    ],
  },
});

export const rules = (): Row => ({
  empty: EMPTY,
  valid: {
    accepted: [
      ['a pair', 'tags:x'],
      ['in quotes', 'authors:"Ada Lovelace"'],
    ],
  },
  'wrong type': { refused: [['no pair', 'nonsense']] },
  'out of range': {
    refused: [
      ['of nothing known', 'titles:x'],
      ['no value', 'tags:'],
    ],
  },
  repeated: {
    accepted: [['two', ['tags:x', 'section:World']]],
    refused: [['fifty-one', many(51).map((name) => `tags:${name}`)]],
  },
  huge: { refused: [['a long one', `tags:${'a'.repeat(5000)}`]] },
  unicode: { accepted: [['any script', 'tags:"Zoë 🎈"']] },
});

export const callback = (): Row => ({
  empty: EMPTY,
  valid: {
    accepted: [
      ['a name', 'show'],
      ['jQuery’s', 'jQuery321_1690'],
      ['one with dots', 'app._$.show'],
    ],
  },
  'wrong type': {
    refused: [
      ['a call', 'alert(1)'],
      ['a tag', '<script>'],
    ],
  },
  'out of range': { refused: [['129 characters', 'a'.repeat(129)]] },
  repeated: {
    accepted: [['the last one counts', ['alert(1)', 'show']]],
    refused: [['the last one counts', ['show', 'a-b']]],
  },
  huge: { refused: [HUGE] },
  unicode: { refused: [['a letter of a script', 'é']] },
});
