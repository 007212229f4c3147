// What the lists brought, for the page behind them: figures of each list, and the experiment in words.
import { html } from 'hono/html';
import { BROUGHT_DAYS, type Brought } from '../brought.ts';
import type { Html } from './layout.ts';

/** Slots of the paper, as readers know their lists. */
const LISTS: Readonly<Record<string, string>> = {
  'read-next': 'Read next, below every article',
  'most-read': 'Most read, beside it',
};

export function broughtSection({ lists, experiment }: Brought): Html {
  return html`
<section class="brought" aria-labelledby="brought">
  <h2 id="brought">What the lists brought in ${BROUGHT_DAYS} days</h2>
  <p>The server counts which items were in the readers’ windows for a second, which were clicked, and what was read after that. The newspaper asks it as <code>afterword lists</code> does.</p>
  ${lists.length === 0 ? html`<p>No list was seen yet.</p>` : lists.filter(({ name }) => name in LISTS).map(listFigures)}
  ${experiment === undefined ? '' : experimentFigures(experiment)}
</section>`;
}

const number = (value: number | undefined): string => (value ?? 0).toLocaleString('en-US');
const percent = (share: number | undefined): string => `${((share ?? 0) * 100).toFixed(2)} %`;

function listFigures({ name, metrics }: Brought['lists'][number]): Html {
  const figures: [label: string, value: string, note?: string][] = [
    ['Lists shown', number(metrics.lists)],
    ['Items seen', number(metrics.seen)],
    ['Clicks', number(metrics.clicks)],
    [
      'Click rate',
      percent(metrics.click_rate),
      `${percent(metrics.click_rate_low)} to ${percent(metrics.click_rate_high)}`,
    ],
    ['Page views caused', number(metrics.views_caused), `${percent(metrics.recirculation)} of all`],
    ['Minutes read after', number(Math.round(metrics.engaged_minutes ?? 0))],
  ];
  return html`
  <h3>${LISTS[name]}</h3>
  <dl>${figures.map(([label, value, note]) => html`<div><dt>${label}</dt><dd>${value}${note ? html` <small>${note}</small>` : ''}</dd></div>`)}</dl>`;
}

function experimentFigures({ name, state, result, variants }: NonNullable<Brought['experiment']>): Html {
  const headingOf = (variant: string) => variants.find((one) => one.name === variant)?.heading ?? 'Read next';
  return html`
  <h3>An experiment, ${state}: which heading?</h3>
  <p>Half of the readers see “${headingOf(variants[0]?.name ?? '')}” above the list below an article, the others “${headingOf(variants[1]?.name ?? '')}”. What <code>afterword experiment show</code> says of <em>${name}</em> now:</p>
  <blockquote>${result.says.map((sentence) => html`<p>${sentence}</p>`)}</blockquote>
  <table>
    <thead><tr><th scope="col">Heading</th><th scope="col">Readers</th><th scope="col">Clicks a list</th><th scope="col">Views a visit</th></tr></thead>
    <tbody>${result.variants.map(
      (variant) =>
        html`<tr><th scope="row">${headingOf(variant.name)}</th><td>${number(variant.readers)}</td><td>${percent(variant.rates.clicks)}</td><td>${variant.rates.views.toFixed(2)}</td></tr>`,
    )}</tbody>
  </table>`;
}
