// How a list drawn on the server looks: the attributes of a slot that say so, as parameters, `-` written as `_`.
import { z } from 'zod';
import { ATTRIBUTES, type Attribute, type LookAttribute, type Takes } from '../contract/attributes.ts';
import { IMAGE_SERVICE } from '../contract/imageService.ts';
import { flag, oneOf, text, url, whole } from '../http/params.ts';

const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;
/** Between 0.2 and 5, with as many digits as the eye distinguishes. */
const RATIO = /^(?:off|0\.[2-9]\d{0,2}|[1-4](?:\.\d{1,3})?|5)$/;

/** `off` stands for the empty attribute, which a query cannot have. */
const OFF = '; "off" for none.';

type Snake<Name extends string> = Name extends `${infer First}-${infer Rest}` ? `${First}_${Snake<Rest>}` : Name;

type Value<T extends Takes> = T extends { is: 'choice'; values: readonly (infer V)[] }
  ? V
  : T extends { is: 'whole' }
    ? number
    : string;

/** Optional, where nothing is filled in for it. Texts have their defaults where the list is drawn. */
type ParamOf<A extends LookAttribute> = A extends { initial: string; takes: { is: 'choice' | 'whole' } }
  ? z.ZodType<Value<A['takes']>, unknown>
  : z.ZodType<Value<A['takes']> | undefined, unknown>;

type LookParams = { [A in LookAttribute as Snake<A['name']>]: ParamOf<A> };

function paramOf({ takes, initial, sentence, name }: Attribute): z.ZodType {
  switch (takes.is) {
    case 'choice': {
      const param = oneOf(takes.values, sentence);
      return initial === undefined ? param.optional() : param.default(initial);
    }
    case 'whole': {
      const bounds = { min: takes.min, max: takes.max, what: sentence };
      return initial === undefined ? whole(bounds) : whole({ ...bounds, default: Number(initial) });
    }
    case 'words': {
      const { values } = takes;
      const one = `(?:${values.join('|')})`;
      const pattern = new RegExp(`^(?:off|${one}(?: ${one}){0,${values.length - 1}})$`);
      return text(`${sentence.slice(0, -1)}: ${values.join(', ')}, with spaces between${OFF}`)
        .refine(
          (value) => pattern.test(value),
          `Give ${values.slice(0, -1).join(', ')} and ${values.at(-1)} with spaces between, or off.`,
        )
        .optional();
    }
    case 'ratio':
      return text(`${sentence.slice(0, -1)}, such as 1.5${OFF}`)
        .refine(
          (value) => RATIO.test(value),
          `Give a number such as 1.5, between ${takes.min} and ${takes.max}, or off.`,
        )
        .optional();
    case 'imageService':
      return text(sentence)
        .refine((value) => IMAGE_SERVICE.test(value), 'Give an http or https address with {url} in it.')
        .optional();
    case 'picture':
      return url.meta({ description: sentence }).optional();
    default:
      return text(name === 'heading' ? `${sentence.slice(0, -1)}${OFF}` : sentence).optional();
  }
}

const isLook = (attribute: Attribute): boolean => attribute.look === true;

export const LOOK = {
  ...(Object.fromEntries(
    (ATTRIBUTES as readonly Attribute[])
      .filter(isLook)
      .map((attribute) => [attribute.name.replaceAll('-', '_'), paramOf(attribute)]),
  ) as LookParams),
  lang: z
    .string()
    .max(35, 'Give a language tag such as de or pt-BR.')
    .regex(LANGUAGE, 'Give a language tag such as de or pt-BR.')
    .meta({ description: 'Language of the dates, and of the heading where none is given, such as de or pt-BR.' })
    .default('en'),
  document: flag('1: a whole page, for a frame. Else a piece of a page.').default(false),
};

/** `type` is a filter of the most read list: videos have a play mark. */
export type Look = z.output<z.ZodObject<typeof LOOK>> & { type?: string };
