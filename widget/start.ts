// The loader: finds the slots, keeps room for them, and fetches what they need when they come near.
import { listUrl, toSettings } from './config.ts';
import type { Host, ListPart, PagePart, Settings } from './host.ts';
import { reserve } from './reserve.ts';

type Seen = IntersectionObserverEntry & { target: HTMLElement };

export function start(tag: HTMLElement, server: string | URL, load: Host['_load']): unknown {
  const fill = (slot: HTMLElement, settings: Settings): void => {
    const address = listUrl(server, settings);
    // A list for everybody is asked for here and now; one for this reader takes the page part to ask.
    const answer =
      settings.afterword !== 'top' || settings.transport
        ? asking.then((ask) => ask(address, settings))
        : // biome-ignore lint/suspicious/noAssignInExpressions: the loader is counted in bytes
          (host._answers[address] ||= fetch(address).then((response) => response.json()));
    answer.catch(host._report);
    // Both parts are on their way at once; the list part needs the other one to be at work.
    const list = load('list') as Promise<ListPart>;
    list.then((part) => asking.then(() => part.show(slot, settings, address, answer))).catch(host._report);
  };
  const host: Host = {
    _tag: tag,
    _server: server,
    _slots: new Set(),
    _answers: {},
    _near: new IntersectionObserver(
      (entries, near) => {
        for (const { isIntersecting, target } of entries as Seen[]) {
          const settings = toSettings(tag, target);
          if (isIntersecting || settings.lazy) {
            near.unobserve(target);
            fill(target, settings);
          }
        }
      },
      { rootMargin: '600px' },
    ),
    _scan() {
      for (const slot of document.querySelectorAll<HTMLElement>('[data-afterword],afterword-related,afterword-top')) {
        if (!host._slots.has(slot)) {
          host._slots.add(slot);
          host._near.observe(slot);
          reserve(slot, toSettings(tag, slot));
        }
      }
    },
    _load: load,
    _report: console.debug,
  };
  host._scan();
  // Slots are found before they are painted, while the page is read and ever after.
  new MutationObserver(host._scan).observe(document, { childList: true, subtree: true });
  const asking = (load('page') as Promise<PagePart>).then((part) => part.attend(host));
  return asking.catch(host._report);
}
