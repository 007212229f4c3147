// Which server and which site `afterword mcp` asks, and with which secret.
import { z } from 'zod';
import { setting } from './setting.ts';

export const assistantSettings = {
  site: setting<string | undefined>({
    flag: '--site <site-id>',
    env: 'AFTERWORD_SITE',
    about: 'the site whose figures are asked for',
    accepts: 'a Site ID, such as example.com',
    read: z.string().regex(/^[\w.:-]{1,253}$/),
  }),
  server: setting<string | undefined>({
    flag: '--server <url>',
    env: 'AFTERWORD_SERVER',
    about: 'address of a server; default: the one that runs on --data',
    accepts: 'an http:// or https:// address without a user, a query or a fragment, such as https://stats.example.com',
    read: z
      .url({ protocol: /^https?$/ })
      .transform((url) => new URL(url))
      .refine(({ username, password, search, hash }) => `${username}${password}${search}${hash}` === '')
      .transform(({ href }) => href.replace(/\/+$/, '')),
  }),
  secret: setting<string | undefined>({
    flag: '--secret <text>',
    env: 'AFTERWORD_SECRET',
    about: 'with --server: the read secret of the site, or its write secret for the tools that change something',
    accepts: 'a secret of a site: letters and digits',
    secret: true,
    read: z.string().regex(/^[\w.~+/-]{1,200}$/),
  }),
};
