// A morning page as HTML that also mail programs show: no script, no style sheet, no picture.
import { escapeHtml } from '../http/escapeHtml.ts';
import type { MorningPage } from '../rankings/morningPage.ts';
import { besideUsual, changeLine, FIGURE_NAMES, headingOf, listLine, whole } from './morningText.ts';

export function toMorningHtml(page: MorningPage): string {
  const title = escapeHtml(headingOf(page));
  const figures = page.figures.map(
    (figure) =>
      `<tr><th scope="row" align="left">${FIGURE_NAMES[figure.name]}</th><td align="right"><b>${whole(figure.value)}</b></td><td>${escapeHtml(besideUsual(figure, page).trim())}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body style="font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:2em auto;padding:0 1em">
<h1 style="font-size:1.3em">${title}</h1>
<table cellpadding="4">${figures.join('\n')}</table>
${part(
  'Read most',
  page.posts.map(({ url, title, views }) => `${whole(views)} ${linkTo(url, title || url)}`),
)}
${part('Brought by lists', page.lists.map(listLine).map(escapeHtml))}
${part('Changed most', page.changes.map(changeLine).map(escapeHtml))}
</body></html>
`;
}

/** Other schemes would run or download something. */
const linkTo = (url: string, text: string): string =>
  /^https?:\/\//i.test(url) ? `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>` : escapeHtml(text);

function part(title: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  return `<h2 style="font-size:1.1em">${title}</h2>\n<ul>${items.map((item) => `<li>${item}</li>`).join('\n')}</ul>`;
}
