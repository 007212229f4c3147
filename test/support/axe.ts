// What axe finds wrong with a page, in lines.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, ElementContext } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** @param context What is looked at. Default: everything. */
export async function axeFindings(page: Page, context: ElementContext = { include: 'html' }): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  // Of what it finds right, no details.
  const results = (await page.evaluate(
    `axe.run(${JSON.stringify(context)}, { resultTypes: ['violations'] })`,
  )) as AxeResults;
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`);
}
