// Shows the list of each slot that comes near the window. Its posts are requested and the list part is fetched at the
// same time.
import { ask } from './api.ts';
import type { ListPart, PagePart } from './host.ts';
import { dispatch, host } from './page.ts';

/** @param part Has `show`, where the list part is in the same file as this one. */
export function watchSlots(part: PagePart): void {
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
      await ((part.show ? part : await host._load('list')) as ListPart).show(slot, settings, answer);
    } catch (error) {
      host._report(error);
      slot.style.minHeight = '';
      dispatch(slot, 'error', error);
    }
  };
  host._near = near;
  for (const slot of host._slots()) near.observe(slot);
}
