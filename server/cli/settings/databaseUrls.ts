// The URLs of a ClickHouse database, as settings take them: one, or those of every server of a cluster.
import { z } from 'zod';

export const databaseUrls = {
  accepts: 'http:// or https:// URLs with commas between them, such as http://user:password@db:8123/afterword',
  fallback: '',
  secret: true,
  read: z
    .string()
    .transform((list) => list.split(',').flatMap((url) => url.trim() || []))
    .pipe(z.array(z.url({ protocol: /^https?$/ }))),
} as const;
