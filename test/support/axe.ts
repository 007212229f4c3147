// What axe finds wrong with a page, in lines.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, ElementContext } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** @param context What is looked at. Default: everything. */
export async function axeFindings(page: Page, context: ElementContext = { include: 'html' }): Promise<string[]> {
  await page.evaluate(AXE);
  const results = (await page.evaluate(`axe.run(${JSON.stringify(context)})`)) as AxeResults;
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`);
}
