// The back button returns to where a view was left. Its figures are asked for again: when the browser looks for the
// place, the page is too short to have it.

const ACTS = ['keydown', 'pointerdown', 'wheel', 'touchstart'];
/** As long as a question is waited for: what comes later moves nothing any more. */
const PATIENCE_MS = 60_000;

/**
 * Scrolls down as far as a view was when it was left, and focuses the link that led away, as soon as they are there.
 * @param top Pixels.
 * @param href Of the link, as it is written.
 * @returns ends it, as anything that the reader does.
 */
export function returnTo(top: number, href: string): () => void {
  const ending = new AbortController();
  const end = () => ending.abort();
  let left = { height: 0, top };
  const size = new ResizeObserver(() => {
    const links = [...document.querySelectorAll<HTMLElement>('main a')];
    links.find((link) => link.getAttribute('href') === href)?.focus({ preventScroll: true });
    scrollTo(0, top);
    left = { height: document.body.offsetHeight, top: scrollY };
  });
  size.observe(document.body);
  const { signal } = ending;
  // The scroll bar is moved by no act that a page learns of; where the height is another one, the page has changed.
  const look = () => left.height === document.body.offsetHeight && left.top !== scrollY && end();
  addEventListener('scroll', look, { signal });
  for (const act of ACTS) addEventListener(act, end, { signal });
  const patience = setTimeout(end, PATIENCE_MS);
  signal.addEventListener('abort', () => {
    size.disconnect();
    clearTimeout(patience);
  });
  return end;
}
