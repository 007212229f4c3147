// The ranking factors, in the order `explain` names them. A new factor is one file and one line here.

import { author } from './author.ts';
import type { Factor } from './factor.ts';
import { freshness } from './freshness.ts';
import { hubness } from './hubness.ts';
import { language } from './language.ts';
import { popularity } from './popularity.ts';
import { rareTerms } from './rareTerms.ts';
import { series } from './series.ts';
import { tags } from './tags.ts';
import { taste } from './taste.ts';
import { time } from './time.ts';
import { title } from './title.ts';
import { vectors } from './vectors.ts';

export const FACTORS: readonly Factor[] = [
  title,
  tags,
  author,
  language,
  time,
  series,
  hubness,
  rareTerms,
  taste,
  vectors,
  freshness,
  popularity,
];
