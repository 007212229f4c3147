// The `exclude` parameter of the lists: <meta>:<value>, repeatable, with or without quotes around the value.
import { z } from 'zod';

const META = {
  author: 'authors',
  authors: 'authors',
  section: 'section',
  sections: 'section',
  tag: 'tags',
  tags: 'tags',
} as const;

const FORM = /^(authors?|sections?|tags?):\s*(?:"([^"]*)"|'([^']*)'|(.*))$/s;
const MOST = 50;
const MAX_TEXT = 1024;

const rule = z
  .string()
  .max(MAX_TEXT, `Give at most ${MAX_TEXT} characters.`)
  .transform((written, context) => {
    const [, meta, doubleQuoted, singleQuoted, bare] = FORM.exec(written.trim()) ?? [];
    const value = doubleQuoted ?? singleQuoted ?? bare?.trim() ?? '';
    if (meta !== undefined && value !== '') return { meta: META[meta as keyof typeof META], value };
    context.addIssue({
      code: 'custom',
      message: 'Give authors, section or tags, a colon and a value, such as tags:sports or authors:"Ada Lovelace".',
    });
    return z.NEVER;
  });

export const exclude = z
  .array(rule)
  .max(MOST, `Give at most ${MOST} values.`)
  .default([])
  .meta({ description: `Posts to leave out: authors, section or tags, a colon and the value. Repeatable.` });
