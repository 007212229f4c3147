// How a list drawn on the server looks: the widget's attributes as parameters, `-` written as `_`.
import { z } from 'zod';
import { flag, oneOf, text, url, whole } from '../http/params.ts';

/** Most posts of a fragment: no list the interface answers to everybody is longer. */
const MOST = 25;
const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;
/** Between 0.2 and 5, with as many digits as the eye can distinguish. */
const IMAGE = /^(?:off|0\.[2-9]\d{0,2}|[1-4](?:\.\d{1,3})?|5)$/;
const IMAGE_SRC = /^https?:\/\/[^/]+\/.*\{url\}/i;
const META = /^(?:off|(?:section|author|date)(?: (?:section|author|date)){0,2})$/;

export const LOOK = {
  limit: whole({ min: 1, max: MOST, default: 5, what: 'Posts shown.' }),
  layout: oneOf(['list', 'grid', 'row', 'compact'], 'Each adapts to the room it has.').default('list'),
  heading: text('Heading; "off" for none.').optional(),
  heading_level: whole({ min: 1, max: 6, default: 2, what: 'Level of the heading.' }),
  label: text('Accessible name. Default: the heading.').optional(),
  meta: text('The line under a title: section, author, date, with spaces between; "off" for none.')
    .refine((value) => META.test(value), 'Give section, author and date with spaces between, or off.')
    .optional(),
  image: text('How wide the pictures are by how high, such as 1.5; "off" for none.')
    .refine((value) => IMAGE.test(value), 'Give a number such as 1.5, between 0.2 and 5, or off.')
    .optional(),
  columns: whole({ min: 1, max: 12, what: 'Most columns of a list, grid or compact list.' }),
  fallback: url.meta({ description: 'The picture for posts without one.' }).optional(),
  image_src: text('Address of an image service, with {url} for the picture and {width} for its width in pixels.')
    .refine((value) => IMAGE_SRC.test(value), 'Give an http or https address with {url} in it.')
    .optional(),
  itm: text('A query merged into the links, such as itm_campaign=related.').optional(),
  shadow: oneOf(['off'], 'off: without a shadow root and without a style.').optional(),
  fill: oneOf(
    ['off'],
    'off: related posts only, though they are fewer. Else the posts read most, then the newest, follow.',
  ).optional(),
  repeat: oneOf(
    ['on'],
    'on: where the widget runs, a related list leaves out nothing that other lists show.',
  ).optional(),
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
