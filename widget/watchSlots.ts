// Shows the list of each slot that comes near the window. Its posts are requested and the list part is fetched at the
// same time.
import { ask } from './api.ts';
import type { ListPart } from './host.ts';
import { dispatch, host } from './page.ts';

/** @param list The list part, where it is in the same file as this one. */
export function watchSlots(list: ListPart | undefined): void {
  const near = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) arrive(target as HTMLElement, isIntersecting);
    },
    // In what scrolls inside the page, too.
    { scrollMargin: '600px', rootMargin: '600px' },
  );
  const arrive = async (slot: HTMLElement, isNear: boolean): Promise<void> => {
    // biome-ignore lint/suspicious/noAssignInExpressions: this part is counted in bytes
    const settings = (slot.afterword = host._read(slot));
    if (!isNear && !settings.lazy) return;
    near.unobserve(slot);
    const answer = ask(settings).catch(host._report);
    try {
      await (list || ((await host._load('list')) as ListPart)).show(slot, settings, answer);
    } catch (error) {
      host._report(error);
      slot.style.minHeight = '';
      dispatch(slot, 'error', error);
    }
  };
  host._near = near;
  for (const slot of host._slots()) near.observe(slot);
}
