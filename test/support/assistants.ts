// Clients of the Model Context Protocol, by its official SDK, and what a tool answers beside what the API answers.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport, type StdioServerParameters } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { command, ensureBuilt } from './build.ts';

/** What a tool answers. */
export interface Used {
  content: { type: string; text: string }[];
  structuredContent: {
    notice: string;
    answer: Record<string, unknown> & { data?: unknown[]; code?: number; message?: string };
    dry_run?: boolean;
    undo?: { tool: string | null; arguments?: Record<string, unknown>; says: string };
  };
  isError?: boolean;
}

const connect = async (transport: Transport): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return client;
};

/** A client that asks by HTTP. */
export const connectOverHttp = (url: string, headers: Record<string, string>): Promise<Client> =>
  connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }) as Transport);

/** A client that starts `afterword mcp`. */
export async function connectOverStdio(words: readonly string[], env: Record<string, string> = {}): Promise<Client> {
  await ensureBuilt();
  return await connectToProgram({ command: process.execPath, args: [command, 'mcp', ...words], env });
}

/** A client of a program that it starts. */
export const connectToProgram = (program: StdioServerParameters): Promise<Client> =>
  connect(new StdioClientTransport({ ...program, stderr: 'ignore' }));

/** Uses a tool. */
export const use = async (client: Client, name: string, args: Record<string, unknown> = {}): Promise<Used> =>
  (await client.callTool({ name, arguments: args })) as unknown as Used;

interface Case {
  tool: string;
  args: Record<string, unknown>;
  /** Of the API, with its query. */
  target: string;
}

const of = (tool: string, path: string, words: readonly string[]): Case[] =>
  words.map((word) => ({ tool, args: { of: word, limit: 5 }, target: `${path}/${word}?limit=5` }));

const METAS = ['posts', 'authors', 'sections', 'tags', 'referrers'];

/**
 * Every tool that reads, and the question to the API that it stands for.
 * @param url Of a post by Bob.
 */
export function readingCases(url: string): Case[] {
  const at = `url=${encodeURIComponent(url)}`;
  const one = (tool: string, args: Record<string, unknown>, target: string): Case => ({ tool, args, target });
  return [
    ...of('analytics', '/v2/analytics', [...METAS, 'channels', 'segments']),
    ...of('realtime', '/v2/realtime', METAS),
    ...of('shares', '/v2/shares', METAS.slice(0, -1)),
    one('analytics_campaigns', {}, '/v2/analytics/campaigns?'),
    one(
      'analytics_series',
      { interval: 'hour', metrics: ['views', 'visitors'], days: 1 },
      '/v2/analytics/series?interval=hour&metrics=views&metrics=visitors&days=1',
    ),
    one('analytics_now', { posts: 3 }, '/v2/analytics/now?posts=3'),
    one('analytics_annotations', { days: 3, limit: 5 }, '/v2/analytics/annotations?days=3&limit=5'),
    one('analytics_setup', {}, '/v2/analytics/setup?'),
    one('analytics_setup_posts', {}, '/v2/analytics/setup/posts?'),
    one('analytics_post_detail', { url }, `/v2/analytics/post/detail?${at}`),
    one('analytics_post_growth', { url }, `/v2/analytics/post/growth?${at}`),
    one('analytics_post', { of: 'previous', url }, `/v2/analytics/post/previous?${at}`),
    one('analytics_post', { of: 'next', url }, `/v2/analytics/post/next?${at}`),
    one('metadata_post', { url }, `/v2/metadata/post?${at}`),
    one('analytics_videos', {}, '/v2/analytics/videos?'),
    one('analytics_meta_value_detail', { meta: 'author', value: 'Bob' }, '/v2/analytics/author/Bob/detail?'),
    one('referrers_type', { type: 'search' }, '/v2/referrers/search?'),
    one('referrers_type_meta', { type: 'search', meta: 'posts' }, '/v2/referrers/search/posts?'),
    one(
      'referrers_type_meta_value_detail',
      { type: 'search', meta: 'author', value: 'Bob' },
      '/v2/referrers/search/author/Bob/detail?',
    ),
    one('referrers_post_detail', { url }, `/v2/referrers/post/detail?${at}`),
    one('shares_post_detail', { url }, `/v2/shares/post/detail?${at}`),
    one('shares_meta_value_detail', { meta: 'author', value: 'Bob' }, '/v2/shares/author/Bob/detail?'),
    one('conversions_url', {}, '/v2/conversions/url?'),
    one('conversions_url_top', {}, '/v2/conversions/url/top?'),
    one('lists', { group: 'post' }, '/v2/lists?group=post'),
    one('exclude_list', {}, '/v2/exclude/list?'),
    one('experiments', { archived: '1' }, '/v2/experiments?archived=1'),
    one('headlines', {}, '/v2/headlines?'),
    one('rules', {}, '/v2/rules?'),
    one('settings', {}, '/v2/settings?'),
    one('frontier', {}, '/v2/frontier?'),
    one('related', { url }, `/v2/related?${at}`),
    one('related', { url, explain: '1' }, `/v2/related?${at}&explain=1`),
    one('history', { uuid: 'reader' }, '/v2/history?uuid=reader'),
    one('search', { q: 'a' }, '/v2/search?q=a'),
    one('top_posts', {}, '/v2/top/posts?'),
    one('top_videos', {}, '/v2/top/videos?'),
  ];
}

/** Tools that change something. */
export const ACTING = [
  'annotation_add',
  'annotation_remove',
  'experiment_archive',
  'experiment_restore',
  'experiment_start',
  'experiment_stop',
  'frontier_measure',
  'page_read_again',
  'post_hide',
  'post_show',
  'rules_remove',
  'rules_set',
  'settings_change',
];

/** What the API answers to the same question. */
export async function askApi(
  of: { url: string; apikey: string; secret: string },
  target: string,
): Promise<Record<string, unknown>> {
  const [path = '', query = ''] = target.split('?');
  const search = [`apikey=${of.apikey}`, ...(query === '' ? [] : [query])].join('&');
  const response = await fetch(`${of.url}${path}?${search}`, { headers: { Authorization: `Bearer ${of.secret}` } });
  return (await response.json()) as Record<string, unknown>;
}
