// Whether a Site ID and its secret belong together. Plugins ask before they save them.
import { z } from 'zod';
import { endpoint } from '../http/endpoint.ts';

export const validate = endpoint({
  summary: 'Whether the Site ID and the secret belong together.',
  params: z.object({}),
  answer: async () => ({ success: true }),
});
