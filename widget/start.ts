// biome-ignore-all lint/suspicious/noDoubleEquals: text is compared with text, and the loader is counted in bytes The
// loader: finds the slots, keeps room for them, and fetches what they need when they come near. Written as arrow
// functions with parameters of other names than where they are called, which the minifier can put in place: the loader
// is counted in bytes.
import { FILTERS, listUrl, topUrl, toSettings } from './config.ts';
import type { Host, ListPart, PagePart } from './host.ts';
import { reserve } from './reserve.ts';
import { findSlots } from './slots.ts';

type Seen = IntersectionObserverEntry & { target: HTMLElement };

export const start = (tag: HTMLElement, server: string | URL, load: Host['_load']): unknown => {
  const host: Host = {
    _tag: tag,
    _server: server,
    _answers: {},
    _near: new IntersectionObserver(
      (entries) =>
        // biome-ignore lint/suspicious/useIterableCallbackReturn: shorter than the other way
        (entries as Seen[]).map(({ isIntersecting, target }) => {
          // biome-ignore lint/suspicious/noAssignInExpressions: the loader is counted in bytes
          const settings = (target.afterword = toSettings(tag, target));
          if (isIntersecting || settings.lazy) {
            host._near.unobserve(target);
            const address = listUrl(topUrl(server, settings), settings, FILTERS);
            // A list for everybody is asked for here and now; one for this reader takes the page part to ask.
            const answer = (
              settings.afterword != 'top' || settings.transport
                ? asking.then((ask) => ask(settings))
                : // biome-ignore lint/suspicious/noAssignInExpressions: the loader is counted in bytes
                  (host._answers[address] ||= fetch(address).then((response) => response.json()))
            ).catch(host._report);
            // Both parts are on their way at once; the list part needs the other one to be at work.
            (load('list') as Promise<ListPart>)
              .then((part) => asking.then(() => part.show(target, settings, answer)))
              .catch((error) => {
                host._report(error);
                target.style.minHeight = '';
              });
          }
        }),
      { rootMargin: '600px' },
    ),
    _scan() {
      for (const slot of findSlots()) {
        if (!slot.afterword) {
          host._near.observe(slot);
          // biome-ignore lint/suspicious/noAssignInExpressions: the loader is counted in bytes
          reserve(slot, (slot.afterword = toSettings(tag, slot)));
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
};
