// How much text stands above an element, by the HTML alone. An aside may be a column beside what comes before it: it
// begins at the height of its neighbour, wherever it stands in the HTML.
//
//   const place = new TextAbove();
//   place.open('aside', 2000);       each element, with the characters of text before it
//   place.above(2100);
//   place.close();

/** Elements that style sheets place beside others. */
const COLUMN = new Set(['aside', 'nav']);

interface Opened {
  name: string;
  /** Characters of text before it. */
  before: number;
  /** Characters of text above it, if it is a column. A box with nothing else before a column is the column's own. */
  asColumn: number;
  /** Elements in it, so far. */
  children: number;
}

export class TextAbove {
  private readonly opened: Opened[] = [];
  private articles = 0;
  private columns = 0;
  /** Characters of text that the outermost column may stand beside. */
  private beside = 0;

  open(name: string, before: number): void {
    const parent = this.opened.at(-1);
    if (parent) parent.children++;
    const asColumn = parent ? (parent.children > 1 ? parent.before : parent.asColumn) : 0;
    if (name === 'article') this.articles++;
    // Within an article an aside stands in the text.
    if (COLUMN.has(name) && this.columns++ === 0 && this.articles === 0) this.beside = before - asColumn;
    this.opened.push({ name, before, asColumn, children: 0 });
  }

  close(): void {
    const { name = '' } = this.opened.pop() ?? {};
    if (name === 'article') this.articles--;
    if (COLUMN.has(name) && --this.columns === 0) this.beside = 0;
  }

  /** @param before Characters of text before an element that begins here. */
  above(before: number): number {
    return before - this.beside;
  }
}
