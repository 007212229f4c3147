// The tools that read, made of the routes: a new route leaves the names of the others as they are.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ROUTES } from '../../server/app.ts';
import { endpoint, get, type Route } from '../../server/http/endpoint.ts';
import { secret } from '../../server/http/guards.ts';
import { createReadTools } from '../../server/mcp/readTools.ts';
import { toOpenApi } from '../../server/reference/openapi.ts';

const namesOf = (routes: readonly Route[]): string[] =>
  createReadTools(routes, toOpenApi(routes)).map(({ name }) => name);

test('a route with the parameters of another one beside it renames no tool, and gets a name of its own', () => {
  const weather = endpoint({ summary: 'The weather.', params: z.object({}), answer: async () => ({ success: true }) });
  const routes = [...ROUTES, get('/v2/analytics/weather', secret, weather)];
  const names = namesOf(routes);
  expect(names.sort()).toEqual([...namesOf(ROUTES), 'analytics_weather'].sort());
  expect(new Set(names).size).toBe(names.length);
});
