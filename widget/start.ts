// biome-ignore-all lint/suspicious/noDoubleEquals: text is compared with text, and the loader is counted in bytes
// The loader: finds the slots, reserves room for them, and fetches the page part, which shows their lists. Written as
// arrow functions with parameters of other names than where they are called, which the minifier can inline: the loader
// is counted in bytes.
import { listUrl, toLimit } from './config.ts';
import type { Host, PagePart, Settings } from './host.ts';
import { reserve } from './reserve.ts';
import { findSlots } from './slots.ts';

/** Pixels from the top of the window. A list that begins higher is likely to be shown. */
const NEAR = 2e3;

/** Set by the build: true where the page part is fetched. Elsewhere it is here and requests the lists itself. */
declare const IN_PARTS: boolean;

export const start = (tag: HTMLElement, server: string | URL, load: Host['_load']): unknown => {
  // The file of the page part; "" after it failed. With a list near the window, the file that has the list part, too:
  // one request.
  let file = 'page';
  const host: Host = {
    _tag: tag,
    _server: server,
    _answers: {},
    _slots: findSlots,
    _read(slot) {
      // Says its kind to styles and reports, too, when its name does.
      slot.dataset.afterword ||= slot.localName.slice(10);
      const settings: { -readonly [Name in keyof Settings]: Settings[Name] } = { ...tag.dataset, ...slot.dataset };
      settings.limit = toLimit(settings.limit);
      // Once more for one that was hidden when it was found, and had no width: `reserve` sets `display` of others.
      if (!(slot.afterword && slot.style.display)) reserve(slot, settings);
      return settings;
    },
    _url: listUrl,
    _scan() {
      for (const slot of findSlots()) {
        if (!slot.afterword && file) {
          // A slot that the page hides has no place. Read before room is reserved: after that the page would be laid
          // out once more.
          const top = slot.getClientRects()[0]?.y as number;
          // biome-ignore lint/suspicious/noAssignInExpressions: the loader is counted in bytes
          const settings = (slot.afterword = host._read(slot));
          // While the page part is on its way this says nothing more of the file.
          if (IN_PARTS && top < NEAR) {
            file = 'both';
            // A list for everybody is requested at once; one for this reader takes the page part to ask.
            if (settings.afterword == 'top' && !settings.transport && !settings.type) {
              // biome-ignore lint/style/useTemplate: the loader is counted in bytes
              const address = listUrl(server + 'v2/top/posts', settings);
              // biome-ignore lint/suspicious/noAssignInExpressions: the loader is counted in bytes
              (host._answers[address] ||= fetch(address).then((response) => response.json())).catch(host._report);
            }
          }
          host._near?.observe(slot);
        }
      }
    },
    _load: load,
    _report: console.debug,
  };
  host._scan();
  // Slots are found before they are painted, while the page is read and ever after.
  new MutationObserver(host._scan).observe(document, { childList: true, subtree: true });
  return (load(file) as Promise<PagePart>)
    .then((part) => part.attend(host))
    .catch((error) => {
      host._report(error);
      file = '';
      for (const slot of findSlots()) slot.style.minHeight = '';
    });
};
