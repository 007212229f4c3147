// The figures of the console's page beside those of the API for the same question.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { columnsOf, METRIC_NAMES, readChoice } from '../../widget/console/choice.ts';
import { inColumn, toFigure, toRate } from '../../widget/console/figures.ts';
import { datesOf, dayIn, paramsOf } from '../../widget/console/periods.ts';
import { getJson } from '../support/http.ts';
import type { TestServer, TestSite } from '../support/server.ts';
import { until } from '../support/until.ts';
import { readShown, type Shown, settled, ZONE } from './newsroomPage.ts';

interface Listed {
  data: { url?: string; name: string; metrics: Record<string, number> }[];
  totals: { metrics: Record<string, number> };
}

interface Beside {
  server: TestServer;
  site: TestSite;
}

const PATIENCE = { timeout: 100_000 };
const DEVICES = ['desktop', 'mobile', 'tablet'];
const viewsOn = (device: string) => `${device}_views`;

/** What the API answers to the question in the address of the page, written as the page writes it. */
async function askBeside({ server, site }: Beside, search: string): Promise<Shown> {
  const { period, own, metric, filters } = readChoice(search);
  const today = dayIn(ZONE, Date.now());
  const scope = { ...Object.fromEntries(paramsOf(datesOf(period, own, today), today)), ...filters };
  const keys = { apikey: site.apikey, secret: site.secret };
  // A busy server is asked again, as the page does.
  const ask = (path: string, params: object) =>
    until('the API answers', async () => {
      const body = await getJson<Listed>(server, `/v2/analytics/${path}`, { ...keys, ...scope, ...params });
      return body.data && body;
    });
  const columns = columnsOf(metric);
  const written = (metrics: Record<string, number>, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, toFigure(metrics[name]!)]));
  const panels: Shown['panels'] = {};
  for (const name of ['posts', 'sections', 'authors', 'tags', 'referrers', 'channels', 'campaigns', 'segments']) {
    const { data } = await ask(name, { sort: metric, metrics: columns.join(','), limit: 10 });
    panels[name] = data.map((row) => ({
      key: row.url ?? row.name,
      figures: Object.fromEntries(
        columns.map((one) => [one, inColumn(data.map(({ metrics }) => metrics[one]!))(row.metrics[one]!)]),
      ),
    }));
  }
  const { totals } = await ask('series', { metrics: [...METRIC_NAMES, ...DEVICES.map(viewsOn)].join(','), totals: 1 });
  const views = (device: string) => totals.metrics[viewsOn(device)]!;
  const all = DEVICES.reduce((sum, device) => sum + views(device), 0);
  const shown = DEVICES.filter(views).sort((one, other) => views(other) - views(one));
  panels.devices = shown.map((key) => ({
    key,
    figures: { views: toFigure(views(key)), share: toRate(views(key) / all) },
  }));
  return { panels, totals: written(totals.metrics, METRIC_NAMES) };
}

/** Resolves when every figure of the page is the API's for the question in its address. */
export async function expectTruth(page: Page, beside: Beside): Promise<Shown> {
  const asked = await askBeside(beside, new URL(page.url()).search);
  // A panel asks a moment after it was clicked.
  await expect.poll(() => settled(page).then(() => readShown(page)), PATIENCE).toEqual(asked);
  return asked;
}
