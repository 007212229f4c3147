// Articles' Markdown as HTML: only the elements listed here can come out, and all text is escaped.
import { lexer, type MarkedToken, type Token } from 'marked';
import { escapeHtml } from '../../server/http/escapeHtml.ts';

/** HTML of an article's body. Headings start at h2, below the article's own; raw HTML and pictures are left out. */
export function renderMarkdown(markdown: string): string {
  return renderAll(lexer(markdown));
}

/** The words of an article without any marks, paragraphs apart by blank lines. */
export function plainText(markdown: string): string {
  return lexer(markdown)
    .map((token) => wordsOf(token).replace(/\s+/g, ' ').trim())
    .filter((words) => words !== '')
    .join('\n\n');
}

function renderAll(tokens: readonly Token[]): string {
  return tokens.map((token) => render(token as MarkedToken)).join('');
}

function render(token: MarkedToken): string {
  switch (token.type) {
    case 'paragraph':
      return wrap('p', renderAll(token.tokens));
    case 'heading':
      return wrap(token.depth <= 2 ? 'h2' : 'h3', renderAll(token.tokens));
    case 'list':
      return wrap(token.ordered ? 'ol' : 'ul', token.items.map((item) => wrap('li', renderAll(item.tokens))).join(''));
    case 'blockquote':
      return wrap('blockquote', renderAll(token.tokens));
    case 'code':
      return `<pre tabindex="0"><code>${escapeHtml(token.text)}</code></pre>`;
    case 'table':
      return renderTable([token.header, ...token.rows]);
    case 'hr':
      return '<hr>';
    case 'strong':
    case 'em':
    case 'del':
      return wrap(token.type, renderAll(token.tokens));
    case 'codespan':
      return wrap('code', escapeHtml(token.text));
    case 'br':
      return '<br>';
    case 'link':
      return renderLink(token.href, renderAll(token.tokens));
    case 'text':
      return token.tokens ? renderAll(token.tokens) : escapeHtml(token.text);
    case 'escape':
      return escapeHtml(token.text);
    default:
      return '';
  }
}

function wrap(element: string, html: string): string {
  return html.trim() === '' ? '' : `<${element}>${html}</${element}>`;
}

/** Links lead to the web or nowhere; addresses of other kinds leave their text. */
function renderLink(href: string, html: string): string {
  if (!URL.canParse(href) || !/^https?:$/.test(new URL(href).protocol)) return html;
  return `<a href="${escapeHtml(href)}" rel="noopener nofollow">${html}</a>`;
}

function renderTable(rows: readonly { tokens: Token[]; header: boolean }[][]): string {
  const cell = ({ header, tokens }: { tokens: Token[]; header: boolean }) =>
    header ? `<th scope="col">${renderAll(tokens)}</th>` : `<td>${renderAll(tokens)}</td>`;
  const lines = rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`);
  return `<div class="table" tabindex="0"><table>${lines.join('')}</table></div>`;
}

function wordsOf(token: Token): string {
  const known = token as MarkedToken;
  if (known.type === 'html' || known.type === 'image') return '';
  if (known.type === 'list') return known.items.map((item) => inside(item.tokens)).join(' ');
  if (known.type === 'table')
    return [known.header, ...known.rows]
      .flat()
      .map((cell) => inside(cell.tokens))
      .join(' ');
  if ('tokens' in known && known.tokens) return inside(known.tokens);
  return 'text' in known ? known.text : ' ';
}

function inside(tokens: readonly Token[]): string {
  const words = tokens.map(wordsOf);
  return words.join(tokens.some((token) => token.type === 'paragraph' || token.type === 'list') ? ' ' : '');
}
