// What the answers of one setting are worth, added up over the questions of a log.

import { DAY } from '../durations.ts';
import type { PostIndex } from '../textindex/postIndex.ts';
import { mean, qualityOf } from './measures.ts';

/** What one setting gives. */
export interface FrontierPoint {
  mix: number;
  questions: number;
  /** nDCG@10 of the page's own links; undefined where none of the pages asked about has any. */
  links: number | undefined;
  /** Share of the ten posts of the page alone that are among the ten shown. */
  kept: number;
  /** Share of the next reads among the first twenty. */
  hitRate: number;
  /** Mean of 1 / rank of the next read, 0 where it is not among the first twenty. */
  reciprocal: number;
  /** Share of the lists with ten posts. */
  coverage: number;
  /** Share of the site's posts that were ever among ten. */
  shown: number;
  /** Median age of the posts among ten, in days. */
  age: number;
  /** Share of the pairs in ten that have neither section, author nor tag in common. */
  diversity: number;
  /** Milliseconds an answer: half of them took less, and 99 of 100. */
  p50: number;
  p99: number;
}

export interface Answered {
  /** What was read next. */
  wanted: string;
  /** The list of the page alone. */
  own: readonly string[];
  /** What belongs below the page. */
  links: ReadonlySet<string> | undefined;
  /** Epoch milliseconds. */
  now: number;
  /** Milliseconds. */
  spent: number;
}

const SHOWN = 10;

export class Tally {
  readonly mix: number;
  private readonly index: PostIndex;
  private readonly hits: number[] = [];
  private readonly links: number[] = [];
  private readonly kept: number[] = [];
  private readonly full: number[] = [];
  private readonly ages: number[] = [];
  private readonly unlike: number[] = [];
  private readonly spent: number[] = [];
  private readonly shown = new Set<string>();

  constructor(mix: number, index: PostIndex) {
    this.mix = mix;
    this.index = index;
  }

  /** @param found Best first. */
  add(found: readonly string[], { wanted, own, links, now, spent }: Answered): void {
    const ten = found.slice(0, SHOWN);
    const rank = found.indexOf(wanted);
    this.hits.push(rank < 0 ? 0 : 1 / (rank + 1));
    if (links) this.links.push(qualityOf(found, links).ndcg);
    const first = own.slice(0, SHOWN);
    if (first.length > 0) this.kept.push(first.filter((url) => ten.includes(url)).length / first.length);
    this.full.push(ten.length === SHOWN ? 1 : 0);
    for (const url of ten) this.shown.add(url);
    const { catalogue } = this.index;
    const numbers = ten.map((url) => catalogue.find(url));
    for (const number of numbers) {
      const age = (now - catalogue.pubDates[number]!) / DAY;
      if (!Number.isNaN(age)) this.ages.push(age);
    }
    if (numbers.length > 1) this.unlike.push(unlikeness(this.index, numbers));
    this.spent.push(spent);
  }

  point(): FrontierPoint {
    const spent = this.spent.sort((a, b) => a - b);
    return {
      mix: this.mix,
      questions: this.hits.length,
      links: this.links.length > 0 ? mean(this.links) : undefined,
      kept: mean(this.kept),
      hitRate: mean(this.hits.map((one) => (one > 0 ? 1 : 0))),
      reciprocal: mean(this.hits),
      coverage: mean(this.full),
      shown: this.shown.size / (this.index.size || 1),
      age: quantile(
        this.ages.sort((a, b) => a - b),
        0.5,
      ),
      diversity: mean(this.unlike),
      p50: quantile(spent, 0.5),
      p99: quantile(spent, 0.99),
    };
  }
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

function unlikeness({ catalogue }: PostIndex, numbers: readonly number[]): number {
  const { sectionOf, authorsOf, tagsOf } = catalogue;
  const none = catalogue.sections.find('');
  const share = (a: Uint32Array, b: Uint32Array) => a.some((one) => b.includes(one));
  let pairs = 0;
  let unlike = 0;
  for (const [at, a] of numbers.entries()) {
    for (const b of numbers.slice(at + 1)) {
      pairs++;
      const sameSection = sectionOf[a] === sectionOf[b] && sectionOf[a] !== none;
      if (!sameSection && !share(authorsOf[a]!, authorsOf[b]!) && !share(tagsOf[a]!, tagsOf[b]!)) unlike++;
    }
  }
  return unlike / pairs;
}
