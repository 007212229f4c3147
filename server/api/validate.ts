// Checks whether a Site ID and a secret belong together. Plugins call it before they save both.
import { z } from 'zod';
import { endpoint } from '../http/endpoint.ts';

export const validate = endpoint({
  summary: 'Whether the Site ID and the secret belong together.',
  params: z.object({}),
  tool: false,
  answer: async () => ({ success: true }),
});
