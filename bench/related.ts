// How well related posts are found, on articles whose editors linked them to one another; beside simple rankings, and with
// gains fitted on the other sites only. Then the floor: a foreign post among a site's own.
import type { ArticleSet } from '../server/evaluation/articleSet.ts';
import { evaluateAuthors, evaluatePairs } from '../server/evaluation/authors.ts';
import type { Ranker } from '../server/evaluation/baselines.ts';
import { evaluate, evaluateOne, indexOf, ourRanker, type Result } from '../server/evaluation/evaluate.ts';
import { FACTORS } from '../server/recommend/factors/index.ts';
import { fitGains, type Gains } from './related/fit.ts';
import { type Floor, floorOf, floorOfYoung, rejectedOf, YOUNG, YOUNG_SITES } from './related/floors.ts';
import { nearestInTime } from './related/nearestInTime.ts';
import { repeatsOf } from './related/repeats.ts';
import { type NamedSet, readSite, SITES } from './related/sites.ts';
import type { Bench } from './support/table.ts';

const clock = () => performance.now();
/** Posts of each other site that are put in. */
const NEIGHBOURS = 150;

/** Factors that content decides: readers and vectors have no say here. */
const WITHOUT = new Set(FACTORS.filter(({ fitted }) => Object.keys(fitted).length > 0).map(({ name }) => name));
const none = (gains: Gains): Gains => Object.fromEntries(Object.keys(gains).map((gain) => [gain, 0]));

const bench: Bench = async () => {
  const sites = SITES.map(readSite);
  const rows = new Map<string, string[]>();
  const add = (name: string, cell: string) => rows.set(name, [...(rows.get(name) ?? []), cell]);
  for (const site of sites) {
    for (const step of evaluate(site, clock)) if (step.result) add(step.name, show(step.result));
    add('nearest in time', show(measure(site, nearestInTime(site.posts))));
    const others = sites.filter(({ name }) => name !== site.name);
    const index = indexOf(site.posts);
    add('afterword, gains fitted on the other sites', show(measure(site, ourRanker(index, fitGains(others)))));
    for (const { name, gains } of FACTORS) {
      if (WITHOUT.has(name))
        add(`afterword without the factor ${name}`, show(measure(site, ourRanker(index, none(gains)))));
    }
    const { series, copies } = repeatsOf(site.posts, ourRanker(index));
    add(
      'lists of ten with more than four of one series / with two near copies',
      `${percent(series)} / ${percent(copies)}`,
    );
    add('a profile: its author’s next posts', evaluateAuthors(index, site).ndcg.toFixed(3));
    const { ndcg, both } = evaluatePairs(index, site);
    add('a profile of two authors: both’s next posts (both found)', `${ndcg.toFixed(3)} (${percent(both)})`);
    add('foreign post: empty / own post: answered', showFloor(floorOf(site)));
    add(`the same with ${YOUNG} posts`, showFloor(floorOfYoung(site)));
    add('post of the other sites: empty', percent(rejectedOf(index, others.flatMap(neighbours))));
  }
  return {
    title: 'Related posts: nDCG@10 (MRR@20, recall@20, coverage)',
    columns: ['Ranking', ...SITES],
    rows: [...rows].map(([name, cells]) => [name, ...cells]),
    notes: [
      'Wanted: the posts of the same site that a post’s editors linked it with; the links are not in the text.',
      'Near copies have four of five pairs of words in common; those of rust say which version is tested, in the same forty words.',
      'Profiles: an author’s newest posts stand for visits, the next ten for what would be read; who wrote a post is not said.',
      'Profiles of two: posts of two authors by turns, whatever their subjects and years; how often at least one of each is among the ten.',
      `Foreign posts are readmes of software packages, put one at a time among the site’s own; with ${YOUNG} posts: ${YOUNG_SITES} stretches of the site’s history.`,
      'Posts of the other sites are no strangers: 18f and digitalgov write about the same work of one government, some articles stand in both.',
      'What else was tried, and what it gave, is in bench/related/tried.md.',
    ],
  };
};

export default bench;

function show({ ndcg, reciprocal, recall, coverage }: Result): string {
  return `${ndcg.toFixed(3)} (${reciprocal.toFixed(3)}, ${recall.toFixed(3)}, ${coverage.toFixed(2)})`;
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const showFloor = ({ empty, answered }: Floor) => `${percent(empty)} / ${percent(answered)}`;

/** Posts of one site under addresses of another. */
function neighbours({ posts }: NamedSet) {
  const every = Math.ceil(posts.length / NEIGHBOURS);
  return posts
    .filter((_, at) => at % every === 0)
    .map((post) => ({ ...post, url: `https://neighbour.example/${post.url}` }));
}

function measure(articles: ArticleSet, ranker: Ranker): Result {
  const steps = evaluateOne('', ranker, { articles, clock });
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}
