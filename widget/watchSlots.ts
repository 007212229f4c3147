// Shows the list of each slot that comes near the window. Its posts are requested and the list part is fetched at the
// same time.
import { ask } from './api.ts';
import type { ListPart, PagePart } from './host.ts';
import { dispatch, host } from './page.ts';

/**
 * A list that does not come is asked for again, where its slot is near the window by then: soon after a page is opened,
 * ever more rarely while it stays open.
 * @param part Has `show`, where the list part is in the same file as this one.
 */
export function watchSlots(part: PagePart): void {
  let list = part.show && (part as ListPart);
  /** Another query after each failure: a module that failed is not fetched again by the same address. */
  let query = '';
  const near = new IntersectionObserver(
    (entries) => entries.map(arrive),
    // In what scrolls inside the page, too.
    { scrollMargin: '600px', rootMargin: '600px' },
  );
  const arrive = async ({ target, isIntersecting }: IntersectionObserverEntry): Promise<void> => {
    const slot = target as HTMLElement;
    // biome-ignore lint/suspicious/noAssignInExpressions: this part is counted in bytes
    const settings = (slot.afterword = host._read(slot));
    if (!isIntersecting && !settings.lazy) return;
    near.unobserve(slot);
    const answer = ask(settings).catch(host._report);
    try {
      // biome-ignore lint/suspicious/noAssignInExpressions: this part is counted in bytes
      if (!(await (list ||= (await host._load('list', query)) as ListPart).show(slot, settings, answer))) return;
    } catch (error) {
      query += '?';
      host._report(error);
      slot.style.minHeight = '';
      dispatch(slot, 'error', error);
    }
    setTimeout(() => {
      // Unless it was asked for anew meanwhile, as on the next page of an application.
      if (slot.afterword === settings) {
        host._answers = {};
        near.observe(slot);
      }
    }, performance.now() / 3);
  };
  host._near = near;
  for (const slot of host._slots()) near.observe(slot);
}
