// How well related posts are found, on articles whose editors linked them to one another; beside simple rankings, and with
// gains fitted on the other site only. Then the floor: a foreign post among a site's own.
import type { ArticleSet } from '../server/evaluation/articleSet.ts';
import { evaluate, evaluateOne, indexOf, ourRanker, type Result } from '../server/evaluation/evaluate.ts';
import type { PostIndex } from '../server/recommend/postIndex.ts';
import { recommend } from '../server/recommend/recommend.ts';
import type { Gains } from '../server/recommend/weights.ts';
import { foreignPosts } from './related/foreign.ts';
import { type NamedSet, readSite, SITES } from './related/sites.ts';
import type { Bench } from './support/table.ts';

const clock = () => performance.now();

/** What is tried for each gain, one after another, twice around. */
const GRID: Record<keyof Gains, readonly number[]> = {
  titleFound: [0, 0.3, 0.6, 0.9],
  titleSpoken: [0, 0.25, 0.5],
  tags: [0, 0.25, 0.5, 0.75],
  author: [0, 0.1, 0.2, 0.3],
  timePower: [0.15, 0.2, 0.25, 0.3],
  timeDays: [15, 30, 60],
};
const NEUTRAL: Gains = { titleFound: 0, titleSpoken: 0, tags: 0, author: 0, timePower: 0.2, timeDays: 30 };

const bench: Bench = async () => {
  const sites = SITES.map(readSite);
  const rows = new Map<string, string[]>();
  const add = (name: string, cell: string) => rows.set(name, [...(rows.get(name) ?? []), cell]);
  for (const site of sites) {
    for (const step of evaluate(site, clock)) if (step.result) add(step.name, show(step.result));
    const other = sites.find(({ name }) => name !== site.name)!;
    add('afterword, gains fitted on the other site', show(measure(site, indexOf(site.posts, fittedGains(other)))));
    const { rejected, answered } = floorOf(site);
    add('foreign post: empty / own post: answered', `${percent(rejected)} / ${percent(answered)}`);
  }
  return {
    title: 'Related posts: nDCG@10 (MRR@20, recall@20, coverage)',
    columns: ['Ranking', ...SITES],
    rows: [...rows].map(([name, cells]) => [name, ...cells]),
    notes: [
      'Wanted: the posts of the same site that a post’s editors linked it with; the links are not in the text.',
      'Foreign posts are readmes of software packages, put one at a time among the site’s own.',
    ],
  };
};

export default bench;

function show({ ndcg, reciprocal, recall, coverage }: Result): string {
  return `${ndcg.toFixed(3)} (${reciprocal.toFixed(3)}, ${recall.toFixed(3)}, ${coverage.toFixed(2)})`;
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

function measure(articles: ArticleSet, index: PostIndex): Result {
  const steps = evaluateOne('', ourRanker(index), { articles, clock });
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** Questions the gains are fitted on at most. */
const FITTED_ON = 300;

/** Coordinate ascent on nDCG over the grid, from gains that do nothing. */
function fittedGains(site: NamedSet): Gains {
  const every = Math.ceil(site.related.size / FITTED_ON);
  const related = new Map([...site.related].filter((_, at) => at % every === 0));
  const index = indexOf(site.posts);
  let gains = NEUTRAL;
  let best = 0;
  for (let round = 0; round < 2; round++) {
    for (const [name, values] of Object.entries(GRID)) {
      for (const value of values) {
        const tried = { ...gains, [name]: value };
        index.gains = tried;
        const { ndcg } = measure({ ...site, related }, index);
        if (ndcg > best) [gains, best] = [tried, ndcg];
      }
    }
  }
  return gains;
}

/** How often a foreign post is answered with nothing, and a post of the site's own with something. */
function floorOf(site: NamedSet): { rejected: number; answered: number } {
  const index = indexOf(site.posts);
  const asks = (url: string) =>
    recommend(
      index,
      { url, filters: {}, excluded: new Set(), sort: 'score', limit: 1, page: 1, respectEmpty: true },
      Number.POSITIVE_INFINITY,
    ).length > 0;
  const foreign = foreignPosts();
  let empty = 0;
  for (const post of foreign) {
    index.put(post);
    if (!asks(post.url)) empty++;
    index.remove(post.url);
  }
  const answered = site.posts.filter(({ url }) => asks(url)).length;
  return { rejected: empty / foreign.length, answered: answered / site.posts.length };
}
