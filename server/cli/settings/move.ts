// Where `afterword move` copies to.
import { resolve } from 'node:path';
import { z } from 'zod';
import { databaseUrls } from './databaseUrls.ts';
import { setting } from './setting.ts';

export const moveSettings = {
  to: setting({
    flag: '--to <urls>',
    env: 'AFTERWORD_MOVE_TO',
    about: 'an empty ClickHouse database: one URL, or those of every server of a cluster with commas between',
    ...databaseUrls,
  }),
  cluster: setting<string | undefined>({
    flag: '--cluster <name>',
    env: 'AFTERWORD_MOVE_CLUSTER',
    about: 'name of the cluster the servers of --to form',
    accepts: "a cluster's name: letters, digits, hyphens and underscores",
    read: z.string().regex(/^[\w-]{1,100}$/),
  }),
  toData: setting<string | undefined>({
    flag: '--to-data <folder>',
    env: 'AFTERWORD_MOVE_TO_DATA',
    about: 'a new data folder, for the engine inside this process',
    accepts: 'a folder',
    read: z.string().transform((folder) => resolve(folder)),
  }),
};
