// The tools that change something. What they take and what they refuse is declared by the endpoints they ask; here is
// which change is which tool, and how each is undone.
import type { AnnotationRecord } from '../contract/annotations.ts';
import { NO_RULES, type RuleSetRecord } from '../contract/rules.ts';
import { canonicalUrl } from '../posts/canonicalUrl.ts';
import type { OpenApi } from '../reference/openapi.ts';
import { toInput, toQuestion } from './readTools.ts';
import type { ActingTool, Arguments, AskInterface, Body, ToolInput, Undo } from './tool.ts';

const EXPERIMENTS = '/v2/experiments';
const SETTINGS = '/v2/settings';
const ANNOTATIONS = '/v2/annotations';
const RULES = '/v2/rules';
const HIDE = '/v2/exclude/ignore';
const SHOW = '/v2/exclude/include';

const DRY_RUN = {
  dry_run: {
    type: 'boolean',
    default: false,
    description: 'true: changes nothing, and answers what would be.',
  },
};

/** @param document Of the routes. */
export function createActingTools(document: OpenApi): ActingTool[] {
  return [
    ...experimentTools(document),
    ...annotationTools(document),
    ...ruleTools(document),
    ...postTools(document),
    settingsChange(document),
    FRONTIER_MEASURE,
    readAgain(document),
  ];
}

type Properties = Record<string, Record<string, unknown> & { properties?: Properties; required?: string[] }>;

/** Schemas of the body that an endpoint reads. */
function bodyFields(document: OpenApi, path: string): Properties {
  const schema = document.paths[path]?.post?.requestBody?.content['application/json'].schema;
  return (schema as { properties?: Properties } | undefined)?.properties ?? {};
}

/** The records of an answer; none where it is an error. */
const recordsOf = <T>({ data }: Body): readonly T[] => (Array.isArray(data) ? (data as T[]) : []);

const inputOf = (properties: ToolInput['properties'], required: string[]): ToolInput => ({
  type: 'object',
  properties: { ...properties, ...DRY_RUN },
  required,
  additionalProperties: false,
});

function experimentTools(document: OpenApi): ActingTool[] {
  const { add, ...fields } = bodyFields(document, EXPERIMENTS);
  const ending = (
    field: 'stop' | 'archive' | 'restore',
    words: Pick<ActingTool, 'description' | 'undo'>,
  ): ActingTool => ({
    name: `experiment_${field}`,
    ...words,
    input: inputOf({ name: fields[field] ?? {} }, ['name']),
    isDestructive: field === 'stop',
    question: ({ name, dry_run }) => ({ method: 'POST', path: EXPERIMENTS, body: { [field]: name, dry_run } }),
  });
  return [
    {
      name: 'experiment_start',
      description: 'Starts an experiment on the list in a slot: each reader gets one of its variants from now on.',
      input: inputOf(add?.properties ?? {}, add?.required ?? []),
      isDestructive: false,
      question: ({ dry_run, ...input }) => ({ method: 'POST', path: EXPERIMENTS, body: { add: input, dry_run } }),
      undo: async ({ name }) => ({
        tool: 'experiment_stop',
        arguments: { name },
        says: 'All readers get the control again. The name stays taken.',
      }),
    },
    ending('stop', {
      description: 'Ends a running experiment: all readers get the control. Its result stays.',
      undo: startAgain,
    }),
    ending('archive', {
      description: 'No longer lists a stopped experiment. Its result stays.',
      undo: async ({ name }, ask) =>
        (await experimentOf(name, ask)).found?.state === 'archived'
          ? { tool: null, says: 'It was archived before.' }
          : { tool: 'experiment_restore', arguments: { name }, says: 'It is listed again.' },
    }),
    ending('restore', {
      description: 'Lists an archived experiment again.',
      undo: async ({ name }) => ({ tool: 'experiment_archive', arguments: { name }, says: 'It is no longer listed.' }),
    }),
  ];
}

const LONGEST_NAME = 64;

/** The experiment of a name, and all of the site, archived ones included. */
async function experimentOf(name: unknown, ask: AskInterface) {
  const all = recordsOf<Record<string, unknown>>(
    await ask({ method: 'GET', path: EXPERIMENTS, query: [['archived', '1']] }),
  );
  return { all, found: all.find((one) => one.name === name) };
}

/** A stopped experiment does not continue: its readers would have seen the control in between. */
async function startAgain({ name }: Arguments, ask: AskInterface): Promise<Undo> {
  const { all, found } = await experimentOf(name, ask);
  const { slot, goal, readers, variants } = found ?? {};
  const names = new Set(all.map((one) => one.name));
  const next = (count: number): string => {
    const end = `-${count}`;
    const free = `${String(name).slice(0, LONGEST_NAME - end.length)}${end}`;
    return names.has(free) ? next(count + 1) : free;
  };
  return {
    tool: 'experiment_start',
    arguments: { name: next(2), slot, goal, readers, variants },
    says: 'The same variants begin again under a new name, and are counted from zero.',
  };
}

function annotationTools(document: OpenApi): ActingTool[] {
  const { label = {}, kind = {}, date = {}, url = {}, remove = {} } = bodyFields(document, ANNOTATIONS);
  return [
    {
      name: 'annotation_add',
      description: 'Writes beside the curves of the site what happened, a newsletter or a deploy for example.',
      input: inputOf({ label, kind, date, url }, ['label']),
      isDestructive: false,
      question: (args) => ({ method: 'POST', path: ANNOTATIONS, body: args }),
      async undo(args, ask) {
        const would = annotationIn(await ask({ method: 'POST', path: ANNOTATIONS, body: { ...args, dry_run: true } }));
        // One that says the same is the same: its removal would take away what somebody else wrote.
        if (would !== undefined && (await written(would.id, ask)) !== undefined)
          return { tool: null, says: 'It was written before.' };
        return (answer) => ({
          tool: 'annotation_remove',
          arguments: { id: annotationIn(answer)?.id },
          says: 'It is beside no curve.',
        });
      },
    },
    {
      name: 'annotation_remove',
      description: 'Removes what the site wrote beside its curves. Those with an id were written by the site.',
      input: inputOf({ id: remove }, ['id']),
      isDestructive: false,
      question: ({ id, dry_run }) => ({ method: 'POST', path: ANNOTATIONS, body: { remove: id, dry_run } }),
      async undo({ id }, ask) {
        const { label, kind, time, url } = (await written(id, ask)) ?? {};
        const input = { label, kind, date: time, ...(url !== '' && { url }) };
        return { tool: 'annotation_add', arguments: input, says: 'It is written again, at the same second.' };
      },
    },
  ];
}

/** What a dry run of its removal answers; undefined where the site has no such annotation. */
const written = async (id: unknown, ask: AskInterface): Promise<AnnotationRecord | undefined> =>
  annotationIn(await ask({ method: 'POST', path: ANNOTATIONS, body: { remove: id, dry_run: true } }));

/** Absent: the change was refused. */
const annotationIn = (body: Body): AnnotationRecord | undefined => recordsOf<AnnotationRecord>(body)[0];

function ruleTools(document: OpenApi): ActingTool[] {
  const { set, remove = {}, version = {} } = bodyFields(document, RULES);
  const before = async (name: unknown, ask: AskInterface): Promise<RuleSetRecord | undefined> =>
    recordsOf<RuleSetRecord>(await ask({ method: 'GET', path: RULES })).find((one) => one.name === name);
  /** @param version Of the set that the change left: what others have changed since is not undone as well. */
  const writeAgain = ({ rules, ...of }: RuleSetRecord, version: string | undefined, says: string): Undo => ({
    tool: 'rules_set',
    arguments: { ...of, rules: rules.map(({ state: _, ...rule }) => rule), version },
    says,
  });
  const versionIn = (body: Body) => recordsOf<RuleSetRecord>(body)[0]?.version;
  return [
    {
      name: 'rules_set',
      description:
        'Writes a set of rules of editors for related lists, in place of the one of its name: posts that are pinned, and posts that are left out.',
      input: inputOf({ ...set?.properties, version }, set?.required ?? []),
      isDestructive: true,
      question: ({ dry_run, version: read, ...input }) => ({
        method: 'POST',
        path: RULES,
        body: { set: input, version: read, dry_run },
      }),
      async undo({ name }, ask) {
        const earlier = await before(name, ask);
        return (answer) =>
          earlier
            ? writeAgain(earlier, versionIn(answer), 'The set has its rules of before.')
            : { tool: 'rules_remove', arguments: { name, version: versionIn(answer) }, says: 'The set is gone again.' };
      },
    },
    {
      name: 'rules_remove',
      description: 'Removes a set of rules of editors: lists are as without it.',
      input: inputOf({ name: remove, version }, ['name']),
      isDestructive: true,
      question: ({ name, version: read, dry_run }) => ({
        method: 'POST',
        path: RULES,
        body: { remove: name, version: read, dry_run },
      }),
      async undo({ name }, ask) {
        const earlier = await before(name, ask);
        return earlier
          ? writeAgain(earlier, NO_RULES, 'The set is there again.')
          : { tool: null, says: 'There was no such set.' };
      },
    },
  ];
}

function postTools(document: OpenApi): ActingTool[] {
  const tool = (name: string, path: string, words: Pick<ActingTool, 'description' | 'undo'>): ActingTool => ({
    name,
    ...words,
    input: withDryRun(toInput(document.paths[path]?.get?.parameters.filter(isOwn) ?? [])),
    isDestructive: false,
    question: (args) => toQuestion(path, args),
  });
  return [
    tool('post_hide', HIDE, {
      description: 'Hides a post from all lists, details and recommendations, for 90 days at most.',
      undo: async ({ url }, ask) =>
        (await isHidden(url, ask))
          ? { tool: null, says: 'It was hidden before.' }
          : { tool: 'post_show', arguments: { url }, says: 'It is in lists again.' },
    }),
    tool('post_show', SHOW, {
      description: 'Shows a hidden post again.',
      undo: async ({ url }, ask) =>
        (await isHidden(url, ask))
          ? { tool: 'post_hide', arguments: { url }, says: 'It is hidden again, for 90 days from then.' }
          : { tool: null, says: 'It was not hidden.' },
    }),
  ];
}

/** @param url As it is written: the list has the form that addresses are hidden in. */
async function isHidden(url: unknown, ask: AskInterface): Promise<boolean> {
  const hidden = recordsOf<unknown>(await ask({ method: 'GET', path: '/v2/exclude/list' }));
  return hidden.includes(canonicalUrl(String(url)) ?? url);
}

const settingsChange = (document: OpenApi): ActingTool => ({
  name: 'settings_change',
  description: 'Changes the dials of the related posts of the site, for all of its readers.',
  input: inputOf({ dials: bodyFields(document, SETTINGS).dials ?? {} }, ['dials']),
  isDestructive: false,
  question: (args) => ({ method: 'POST', path: SETTINGS, body: args }),
  async undo(_args, ask) {
    const [before] = recordsOf<{ dials: unknown }>(await ask({ method: 'GET', path: SETTINGS }));
    return { tool: 'settings_change', arguments: { dials: before?.dials }, says: 'The dials are as they were.' };
  },
});

const FRONTIER_MEASURE: ActingTool = {
  name: 'frontier_measure',
  description:
    'Begins to measure what each setting of the mix dial gives on the views of the site’s own readers, for minutes; the tool frontier says how far it is, and what was found.',
  input: inputOf({}, []),
  isDestructive: false,
  question: (args) => ({ method: 'POST', path: '/v2/frontier', body: args }),
  undo: async () => ({ tool: null, says: 'Nothing to undo: a measurement changes no list and no setting.' }),
};

const readAgain = (document: OpenApi): ActingTool => ({
  name: 'page_read_again',
  description: 'Queues a page of the site to be read again now, for its title, date, picture and text.',
  input: withDryRun(toInput(document.paths['/v2/crawl']?.post?.parameters.filter(isOwn) ?? [])),
  isDestructive: false,
  question: (args) => ({ ...toQuestion('/v2/crawl', args), method: 'POST' }),
  undo: async () => ({ tool: null, says: 'Nothing to undo: the page is read as it is, as it would be later anyway.' }),
});

/** The keys are those of the caller. */
const isOwn = ({ name }: { name: string }): boolean => !['apikey', 'secret', 'callback', 'dry_run'].includes(name);

const withDryRun = (input: ToolInput): ToolInput => inputOf(input.properties, input.required);
