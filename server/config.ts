// Every setting, once: its flag, its environment variable, what it accepts and its default.
import { resolve } from 'node:path';
import type { Option } from 'commander';
import { z } from 'zod';
import { assistantSettings } from './cli/settings/assistant.ts';
import { databaseUrls } from './cli/settings/databaseUrls.ts';
import { limitSettings } from './cli/settings/limits.ts';
import { mailSettings } from './cli/settings/mail.ts';
import { moveSettings } from './cli/settings/move.ts';
import { consoleSettings } from './cli/settings/oidc.ts';
import { fileOption } from './cli/settings/secretFile.ts';
import { type Setting, setting, toOption, wholeNumber } from './cli/settings/setting.ts';

const httpUrl = z.url({ protocol: /^https?$/ });

/** What a flag without a value means, and how yes and no are spelt. */
const yesOrNo = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['yes', 'true', '1', 'on', 'no', 'false', '0', 'off']))
  .transform((word) => ['yes', 'true', '1', 'on'].includes(word));

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
const LOG_FORMATS = ['auto', 'json', 'pretty'] as const;

/** Settings every command takes: where the data is, and how much is said. */
const storageSettings = {
  data: setting({
    flag: '--data <folder>',
    env: 'AFTERWORD_DATA',
    about: 'folder of the database, the socket and the spool; made when missing',
    accepts: 'a folder',
    fallback: './data',
    read: z.string().transform((folder) => resolve(folder)),
  }),
  clickhouseUrl: setting({
    flag: '--clickhouse-url <urls>',
    env: 'AFTERWORD_CLICKHOUSE_URL',
    about: 'use a ClickHouse server instead of the engine inside: one URL, or several with commas between',
    ...databaseUrls,
  }),
  clickhouseCluster: setting<string | undefined>({
    flag: '--clickhouse-cluster <name>',
    env: 'AFTERWORD_CLICKHOUSE_CLUSTER',
    about: 'name of the cluster those servers form',
    accepts: "a cluster's name: letters, digits, hyphens and underscores",
    read: z.string().regex(/^[\w-]{1,100}$/),
  }),
  logLevel: setting({
    flag: '--log-level <level>',
    env: 'AFTERWORD_LOG_LEVEL',
    about: `least important line that is logged: ${LOG_LEVELS.join(', ')}`,
    accepts: `one of ${LOG_LEVELS.join(', ')}`,
    fallback: 'info',
    read: z.enum(LOG_LEVELS),
  }),
  logFormat: setting({
    flag: '--log-format <format>',
    env: 'AFTERWORD_LOG_FORMAT',
    about: 'json, pretty, or auto: pretty on a terminal and JSON elsewhere',
    accepts: `one of ${LOG_FORMATS.join(', ')}`,
    fallback: 'auto',
    read: z.enum(LOG_FORMATS),
  }),
};

/** Settings of the server itself. */
const serverSettings = {
  port: setting({
    flag: '--port <number>',
    env: 'AFTERWORD_PORT',
    about: 'port to listen on; 0 takes a free one',
    accepts: 'a whole number from 0 to 65535',
    fallback: '8080',
    read: wholeNumber(0, 65_535),
  }),
  host: setting({
    flag: '--host <address>',
    env: 'AFTERWORD_HOST',
    about: 'address to listen on; 0.0.0.0 or :: to be reached from other machines',
    accepts: 'an address or host name of this machine',
    fallback: '127.0.0.1',
    read: z.string().regex(/^[\w.:%-]+$/),
  }),
  publicUrl: setting<string | undefined>({
    flag: '--public-url <url>',
    env: 'AFTERWORD_PUBLIC_URL',
    about: 'address readers reach this server at; links in answers begin with it',
    accepts: 'an http:// or https:// address without a path, such as https://stats.example.com',
    read: httpUrl
      .transform((url) => new URL(url))
      .refine((url) => url.href === `${url.origin}/`)
      .transform((url) => url.origin),
  }),
  trustedProxies: setting({
    flag: '--trusted-proxies <count>',
    env: 'AFTERWORD_TRUSTED_PROXIES',
    about: 'how many proxies stand in front and add to X-Forwarded-For',
    accepts: 'a whole number from 0 to 10',
    fallback: '0',
    read: wholeNumber(0, 10),
  }),
  metricsToken: setting<string | undefined>({
    flag: '--metrics-token <text>',
    env: 'AFTERWORD_METRICS_TOKEN',
    about:
      'who asks /metrics must send it as a bearer token; without one only this machine may ask; with --trusted-proxies it is needed',
    accepts: 'at least 16 letters, digits or signs, without blanks',
    secret: true,
    read: z.string().regex(/^[\x21-\x7e]{16,200}$/),
  }),
  accessLog: setting({
    flag: '--access-log [yes|no]',
    env: 'AFTERWORD_ACCESS_LOG',
    about: 'log a line for each request: method, path, status, bytes, time, id; no query, no address',
    accepts: 'yes or no',
    fallback: 'no',
    read: yesOrNo,
  }),
  indexMemory: setting<number | undefined>({
    flag: '--index-memory <number>',
    env: 'AFTERWORD_INDEX_MEMORY',
    about:
      'memory for the indexes of sites, in MiB; beyond it, those used longest ago leave memory (default: a quarter of what the machine or container has)',
    accepts: 'a whole number of MiB from 16 to 1000000',
    read: wholeNumber(16, 1_000_000),
  }),
  allowPrivateCrawl: setting({
    flag: '--allow-private-crawl [yes|no]',
    env: 'AFTERWORD_ALLOW_PRIVATE_CRAWL',
    about: 'let the crawler and webhooks reach private and loopback addresses; for development only',
    accepts: 'yes or no',
    fallback: 'no',
    read: yesOrNo,
  }),
  thumbnails: setting({
    flag: '--thumbnails [yes|no]',
    env: 'AFTERWORD_THUMBNAILS',
    about: 'make small pictures for lists; off: lists show the pictures of posts as they are',
    accepts: 'yes or no',
    fallback: 'yes',
    read: yesOrNo,
  }),
  thumbnailCache: setting({
    flag: '--thumbnail-cache <number>',
    env: 'AFTERWORD_THUMBNAIL_CACHE',
    about: 'room for thumbnails on this disk, in MiB; beyond it, those unused for longest are removed',
    accepts: 'a whole number of MiB from 16 to 1000000',
    fallback: '512',
    read: wholeNumber(16, 1_000_000),
  }),
};

type Values<T> = { [K in keyof T]: T[K] extends Setting<infer V> ? V : never };

export type StorageSettings = Values<typeof storageSettings>;
export type ServerSettings = StorageSettings &
  Values<typeof serverSettings> &
  Values<typeof limitSettings> &
  Values<typeof mailSettings> &
  Values<typeof consoleSettings>;

type Group = Readonly<Record<string, Setting<unknown>>>;

/** Every setting, of the server and of single commands. */
const everySetting = (): Setting<unknown>[] =>
  [
    storageSettings,
    serverSettings,
    mailSettings,
    consoleSettings,
    limitSettings,
    moveSettings,
    assistantSettings,
  ].flatMap((group: Group) => Object.values(group));

/** The options of some settings; of a secret one also the option that names a file for it. */
const toOptions = (group: Group): Option[] =>
  Object.values(group).flatMap((each) => (each.secret ? [toOption(each), fileOption(each)] : [toOption(each)]));

/** Settings whose values may come from files. */
export const secretSettings = (): Setting<unknown>[] => everySetting().filter(({ secret }) => secret === true);

/** What a command does with a data folder that is not there. */
export type MissingFolder = 'make' | 'refuse';

const USED_FOLDER = 'data folder of the server (database, socket, spool); it has to be there, but for --clickhouse-url';

/**
 * Options of the commands that only touch the data. Their values arrive as {@link StorageSettings}.
 * @param missing What `--help` says of the data folder.
 */
export function storageOptions(missing: MissingFolder): Option[] {
  const { data, ...others } = storageSettings;
  const folder = missing === 'make' ? data : { ...data, about: USED_FOLDER };
  return toOptions({ data: folder, ...others }).map((option) => option.helpGroup('Data and log:'));
}

export type MoveSettings = Values<typeof moveSettings>;

/** Where `afterword move` copies to. */
export const moveOptions = (): Option[] => toOptions(moveSettings);

export type AssistantSettings = Values<typeof assistantSettings>;

/** Which server and site `afterword mcp` asks. */
export const assistantOptions = (): Option[] => toOptions(assistantSettings);

/** Environment variables that settings read. */
export const knownVariables = (): string[] => [
  ...everySetting().map(({ env }) => env),
  ...secretSettings().map(({ env }) => `${env}_FILE`),
];

export type CrawlSettings = Pick<ServerSettings, 'publicUrl' | 'allowPrivateCrawl'>;

/** What a command that reads pages itself takes besides; a running server's own settings count where one runs. */
export function crawlOptions(): Option[] {
  return [toOption<unknown>(serverSettings.publicUrl), toOption<unknown>(serverSettings.allowPrivateCrawl)];
}

export type AddressSettings = Pick<ServerSettings, 'host' | 'port' | 'publicUrl'>;

/** Where the server will listen, for a command that prints it while none runs; their variables are those of `serve`. */
export function listenOptions(): Option[] {
  return [toOption<unknown>(serverSettings.host), toOption<unknown>(serverSettings.port)];
}

/** Flags that may stand alone. */
const switches = new Set(
  Object.values(serverSettings).flatMap(({ flag }) => (flag.endsWith(']') ? [flag.split(' ')[0]!] : [])),
);

/**
 * A switch that stands alone says yes: the word after it, such as the page of `crawl`, is not its value. `serve` takes
 * no words, so that a word there is a value, and is refused as one.
 */
export function completeSwitches(args: readonly string[]): string[] {
  const isValue = (word: string | undefined) =>
    args[0] === 'serve' ? word !== undefined && !word.startsWith('-') : yesOrNo.safeParse(word).success;
  return args.map((arg, index) => (switches.has(arg) && !isValue(args[index + 1]) ? `${arg}=yes` : arg));
}

/** Options of the server. Their values arrive as {@link ServerSettings}. */
export function serverOptions(): Option[] {
  return [
    ...toOptions(serverSettings),
    ...toOptions({ ...mailSettings, ...consoleSettings }).map((option) => option.helpGroup('Mail, and the operator:')),
    ...toOptions(limitSettings).map((option) => option.helpGroup('Limits of traffic coming in:')),
    ...storageOptions('make'),
  ];
}
