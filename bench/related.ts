// How well related posts are found, on articles whose editors linked them to one another; beside simple rankings, and with
// gains fitted on the other site only. Then the floor: a foreign post among a site's own.
import type { ArticleSet } from '../server/evaluation/articleSet.ts';
import { evaluateAuthors } from '../server/evaluation/authors.ts';
import { evaluate, evaluateOne, indexOf, ourRanker, type Result } from '../server/evaluation/evaluate.ts';
import { mean } from '../server/evaluation/measures.ts';
import type { IndexedPost } from '../server/recommend/catalogue.ts';
import type { PostIndex } from '../server/recommend/postIndex.ts';
import { recommend } from '../server/recommend/recommend.ts';
import type { Gains } from '../server/recommend/weights.ts';
import { foreignPosts } from './related/foreign.ts';
import { type NamedSet, readSite, SITES } from './related/sites.ts';
import type { Bench } from './support/table.ts';

const clock = () => performance.now();
/** Posts of a young site, how many such sites are asked, and posts of the other site put in. */
const YOUNG = 50;
const YOUNG_SITES = 8;
const NEIGHBOURS = 150;

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
    add('a profile: its author’s next posts', evaluateAuthors(indexOf(site.posts), site).ndcg.toFixed(3));
    for (const [name, cell] of floorsOf(site, other)) add(name, cell);
  }
  return {
    title: 'Related posts: nDCG@10 (MRR@20, recall@20, coverage)',
    columns: ['Ranking', ...SITES],
    rows: [...rows].map(([name, cells]) => [name, ...cells]),
    notes: [
      'Wanted: the posts of the same site that a post’s editors linked it with; the links are not in the text.',
      'Profiles: an author’s newest posts stand for visits, the next ten for what would be read; who wrote a post is not said.',
      `Foreign posts are readmes of software packages, put one at a time among the site’s own; with ${YOUNG} posts: ${YOUNG_SITES} stretches of the site’s history.`,
      'Posts of the other site are no strangers: both write about the same work of one government, some articles stand in both.',
      'What else was tried, and what it gave, is in bench/related/tried.md.',
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
/** Gains that reach the best to so much nDCG are as good as the best. */
const AS_GOOD = 0.004;

/**
 * Coordinate ascent on nDCG over the grid, from gains that do nothing; then the middle of all that did about as well as
 * the best: what stands out by a hair on one site is chance on another.
 */
function fittedGains(site: NamedSet): Gains {
  const every = Math.ceil(site.related.size / FITTED_ON);
  const related = new Map([...site.related].filter((_, at) => at % every === 0));
  const index = indexOf(site.posts);
  let gains = NEUTRAL;
  let best = 0;
  const tries: { gains: Gains; ndcg: number }[] = [];
  for (let round = 0; round < 2; round++) {
    for (const [name, values] of Object.entries(GRID)) {
      for (const value of values) {
        const tried = { ...gains, [name]: value };
        index.gains = tried;
        const { ndcg } = measure({ ...site, related }, index);
        tries.push({ gains: tried, ndcg });
        if (ndcg > best) [gains, best] = [tried, ndcg];
      }
    }
  }
  const good = tries.filter(({ ndcg }) => ndcg >= best - AS_GOOD);
  const middle = (name: keyof Gains) => mean(good.map((one) => one.gains[name]));
  return {
    titleFound: middle('titleFound'),
    titleSpoken: middle('titleSpoken'),
    tags: middle('tags'),
    author: middle('author'),
    timePower: middle('timePower'),
    timeDays: middle('timeDays'),
  };
}

const RESPECTING = {
  filters: {},
  excluded: new Set<string>(),
  sort: 'score',
  limit: 1,
  page: 1,
  respectEmpty: true,
} as const;

/** Whether anything is recommended below a post. */
const answers = (index: PostIndex, url: string) =>
  recommend(index, { ...RESPECTING, url }, Number.POSITIVE_INFINITY).length > 0;

/** How often a stranger among a site's own posts is answered with nothing, put in one at a time. */
function rejectedOf(index: PostIndex, strangers: readonly IndexedPost[]): number {
  let empty = 0;
  for (const post of strangers) {
    index.put(post);
    if (!answers(index, post.url)) empty++;
    index.remove(post.url);
  }
  return empty / strangers.length;
}

const answeredOf = (index: PostIndex, posts: readonly IndexedPost[]) =>
  posts.filter(({ url }) => answers(index, url)).length / posts.length;

/** So many posts that follow one another in time, as a young site would have them. */
function youngSites({ posts }: NamedSet): IndexedPost[][] {
  const inTime = [...posts].sort((a, b) => (a.pubDate ?? 0) - (b.pubDate ?? 0));
  const step = Math.floor((posts.length - YOUNG) / (YOUNG_SITES - 1));
  return Array.from({ length: YOUNG_SITES }, (_, i) => inTime.slice(i * step, i * step + YOUNG));
}

/** Empty below strangers and answered below own posts, in a site as it is and in young ones. */
function floorsOf(site: NamedSet, other: NamedSet): [name: string, cell: string][] {
  const strangers = foreignPosts();
  const index = indexOf(site.posts);
  const young = youngSites(site).map((posts) => ({ posts, index: indexOf(posts) }));
  const neighbours = other.posts
    .filter((_, at) => at % Math.ceil(other.posts.length / NEIGHBOURS) === 0)
    .map((post) => ({ ...post, url: `https://neighbour.example/${post.url}` }));
  const cell = (rejected: number, answered: number) => `${percent(rejected)} / ${percent(answered)}`;
  return [
    ['foreign post: empty / own post: answered', cell(rejectedOf(index, strangers), answeredOf(index, site.posts))],
    [
      `the same with ${YOUNG} posts`,
      cell(
        mean(young.map((one) => rejectedOf(one.index, strangers))),
        mean(young.map((one) => answeredOf(one.index, one.posts))),
      ),
    ],
    ['post of the other site: empty', percent(rejectedOf(index, neighbours))],
  ];
}
