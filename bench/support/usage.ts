// What `npm run bench -- --help` prints: each bench in one line, with its options.

export interface BenchUsage {
  /** What it measures. */
  about: string;
  /** Each with its value and its meaning. Default: it has none. */
  options?: readonly (readonly [option: string, meaning: string])[];
  /** It takes so long that it runs only when it is named. */
  onRequest?: boolean;
}

/** By the names of the files. */
export const BENCHES: Readonly<Record<string, BenchUsage>> = {
  ack: {
    about: 'Time until POST /events is acknowledged, by the number of senders, and until its event is in the tables',
    options: [['--seconds <n>', 'of each row; default 5, at most 60']],
  },
  alarms: {
    about: 'Alarms of simulated years: those without a cause, and how soon planted spikes and silences are found',
    options: [['--runs <n>', 'planted events a cell; default 1000']],
  },
  behaviour: {
    about: 'How well the next read of a reader is predicted',
    options: [
      ['--log <file>', 'CSV with the columns time, visitor, post; default: readers of the demo newspaper'],
      ['--posts <file>', 'metadata of the posts in the log, one JSON object a line'],
    ],
  },
  connections: {
    about: 'Memory of the built server under hostile connections',
    options: [
      ['--seconds <n>', 'of each kind; default 10'],
      ['--connections <n>', 'of each kind; default 1000'],
      ['--kinds <words>', 'only kinds whose names contain one of them, separated by commas'],
    ],
    onRequest: true,
  },
  console: {
    about: 'The console: its scripts, the questions of its overview, and how soon a slowed browser paints',
    options: [
      ['--events <n>', 'such as 50m; default 2m'],
      ['--data <folder>', 'fills it once, and measures it again the next time'],
    ],
    onRequest: true,
  },
  cost: {
    about: 'The request of each route that costs most processor time',
    options: [
      ['--minutes <n>', 'default 10'],
      ['--seed <n>', 'of the random requests; default 1'],
    ],
    onRequest: true,
  },
  experiments: {
    about: 'Simulated experiments, looked at all the time: false decisions, power, and headlines by Thompson sampling',
    options: [['--runs <n>', 'simulated experiments a row; default 1000']],
  },
  faults: {
    about: 'Random campaigns of faults: each acknowledged event counts once',
    options: [
      ['--campaigns <n>', 'default 50'],
      ['--seed <n>', 'of the first campaign; default 1'],
      ['--minutes <n>', 'after which no campaign begins; default 30'],
      ['--at-once <n>', 'campaigns that run together; default 2'],
      ['--only <faults>', 'separated by commas; default: all'],
      ['--verbose', 'prints what each campaign did'],
    ],
    onRequest: true,
  },
  hostile: {
    about: 'Sites made of hostile posts: what adding, tidying and asking cost',
    options: [['--posts <n>', 'of each site; default 100000']],
  },
  ingest: {
    about: 'Durable events a second through POST /events',
    options: [
      ['--seconds <n>', 'of each row; default 8'],
      ['--minutes <n>', 'instead: resident memory over so long, in batches of 10'],
    ],
  },
  journey: {
    about: 'Files and functions of the server that one warm request passes',
    options: [['--list <name>', 'lists the functions that the requests of this name pass, as GET /related']],
    onRequest: true,
  },
  learning: {
    about: "Processor time and memory of learning from the readers' views",
    options: [['--events <n>', 'of the day; default 10000000']],
  },
  memory: {
    about: 'Memory of a server under steady traffic, with the usual settings and those of a small machine',
    options: [
      ['--sites <numbers>', 'how many, separated by commas; default 1,10'],
      ['--posts <n>', 'of each; default 2000'],
      ['--events <n>', 'a second; default 20'],
      ['--minutes <n>', 'of each row; default 3'],
      ['--settings <names>', 'usual, small or both; default usual,small'],
    ],
    onRequest: true,
  },
  moves: {
    about: 'A folder moves to a server, to two shards, to three, while events come',
    options: [
      ['--events <n>', 'there before; default 500000'],
      ['--rate <n>', 'a second, meanwhile; default 100'],
    ],
    onRequest: true,
  },
  overload: {
    about: 'Three times the events that the server can store: what is lost, how readers fare',
    options: [['--seconds <n>', 'default 60']],
  },
  related: { about: 'How well related posts are found, on articles that editors linked' },
  relatedSpeed: {
    about: '/related of a large site: loading and answering',
    options: [['--posts <n>', 'default 100000']],
  },
  restarts: {
    about: 'Two copies behind nginx, restarted one after the other under traffic: failures, lost and doubled events',
    options: [
      ['--rate <n>', 'requests a second; default 500'],
      ['--seconds <n>', 'default 60'],
    ],
    onRequest: true,
  },
  scale: {
    about: 'The same events and questions on one shard and on two',
    options: [['--events <n>', 'default 1000000']],
  },
  search: {
    about: '/search of a large site, beside the database',
    options: [['--posts <n>', 'default 100000']],
  },
  series: {
    about: '/analytics/series and /lists of a site with many events and reports of lists',
    options: [
      ['--events <n>m', 'millions of events; default 50m'],
      ['--reports <n>m', 'millions of reports of lists; default 20m'],
      ['--data <folder>', 'fills it once, and measures it again the next time'],
    ],
    onRequest: true,
  },
  sites: {
    about: 'Many sites on one server: start, memory, idle processor time, readers of sites that are not in memory',
    options: [
      ['--sites <numbers>', 'how many, separated by commas; default 10,100,1000'],
      ['--engine <names>', 'embedded, remote or both; default embedded,remote'],
      ['--large <n>', 'posts of one large site beside small ones; 0: none; default 100000'],
      ['--beside <n>', 'small sites beside it; default 500'],
      ['--idle <seconds>', 'seconds without a request, twice; default 60'],
      ['--index-memory <MiB>', "default: the server's"],
    ],
    onRequest: true,
  },
  soak: {
    about: 'Steady traffic: memory, answers and parts of the database over time',
    options: [
      ['--minutes <n>', 'default 30'],
      ['--events <n>', 'a second; default 200'],
    ],
    onRequest: true,
  },
  top: { about: '/top/posts made for the first time, and served from memory' },
  traffic: {
    about: 'Questions about traffic, beside plain queries over raw events',
    options: [
      ['--size <n>m', 'millions of events; default 5m'],
      ['--data <folder>', 'fills it once, and measures it again the next time'],
    ],
  },
  widget: { about: 'What the widget costs a reader, in a slowed Chromium' },
};

const NAME_WIDTH = 14;
const OPTION_WIDTH = 20;

export function usage(): string {
  const lines = Object.entries(BENCHES).flatMap(([name, { about, options = [], onRequest }]) => [
    `  ${name.padEnd(NAME_WIDTH)}${about}${onRequest ? ' *' : ''}`,
    ...options.map(([option, meaning]) => `  ${' '.repeat(NAME_WIDTH)}  ${option.padEnd(OPTION_WIDTH)}${meaning}`),
  ]);
  return `Usage: npm run bench -- [name…] [--option value…]

Runs the named benches one after another, prints their tables, keeps them in bench/results/ and
writes docs/figures.md from all that are kept there; "npm run bench -- figures" only writes that file.
Without a name: all but those marked *, which take minutes to half an hour each.
Options are given to every bench that runs.

${lines.join('\n')}
`;
}
