// The code blocks of a guide below docs/, by the heading they stand under, and which of them no test has taken yet.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/build.ts';

export interface Guide {
  /** The whole document. */
  text: string;
  /** Text below a heading of the second level; "" where there is none. */
  section(title: string): string;
  /**
   * A code block without the indentation of the list it stands in. Marks it as taken.
   * @param number Which of its language in its section, from 0.
   * @throws {Error} when there is none.
   */
  block(title: string, language: string, number?: number): string;
  /** First lines of the blocks of some languages that were not taken. */
  untried(languages: readonly string[]): string[];
}

interface Block {
  title: string;
  language: string;
  code: string;
}

const BLOCK = /^( *)```([\w-]+)\n(.*?)^ *```/gms;

export function readGuide(file: string): Guide {
  const text = readFileSync(join(root, 'docs', file), 'utf8');
  const sections = text.split(/^## /m).slice(1);
  const titleOf = (part: string): string => part.slice(0, part.indexOf('\n'));
  const blocks = sections.flatMap((part): Block[] =>
    [...part.matchAll(BLOCK)].map(([, indent = '', language = '', code = '']) => {
      return { title: titleOf(part), language, code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), '') };
    }),
  );
  const taken = new Set<Block>();
  return {
    text,
    section: (title) => sections.find((part) => titleOf(part) === title) ?? '',
    block(title, language, number = 0) {
      const found = blocks.filter((block) => block.title === title && block.language === language)[number];
      if (!found) throw new Error(`docs/${file} has no block ${number} of ${language} below "${title}".`);
      taken.add(found);
      return found.code;
    },
    untried: (languages) =>
      blocks
        .filter((block) => languages.includes(block.language) && !taken.has(block))
        .map(({ title, code }) => `${title}: ${code.split('\n', 1)[0]}`),
  };
}
