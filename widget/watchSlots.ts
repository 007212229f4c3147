// Shows the list of each slot that comes near the window. Its posts are requested and the list part is fetched at the
// same time.
import { ask } from './api.ts';
import type { ListPart, Settings } from './host.ts';
import { host } from './page.ts';

/** @param list The list part, where it is in the same file as this one. */
export function watchSlots(list: ListPart | undefined): void {
  const near = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        const slot = entry.target as HTMLElement;
        // biome-ignore lint/suspicious/noAssignInExpressions: this part is counted in bytes
        const settings = (slot.afterword = host._read(slot));
        if (entry.isIntersecting || settings.lazy) {
          near.unobserve(slot);
          show(slot, settings, list);
        }
      }
    },
    { rootMargin: '600px' },
  );
  host._near = near;
  for (const slot of host._slots()) near.observe(slot);
}

async function show(slot: HTMLElement, settings: Settings, list: ListPart | undefined): Promise<void> {
  const answer = ask(settings).catch(host._report);
  try {
    const part = list || ((await host._load('list')) as ListPart);
    await part.show(slot, settings, answer);
  } catch (error) {
    host._report(error);
    slot.style.minHeight = '';
  }
}
