// biome-ignore-all lint/suspicious/noDoubleEquals: text is compared with text, and the loader is counted in bytes
// The loader: finds the slots, reserves room for them, and fetches the page part, which shows their lists. Written as
// arrow functions with parameters of other names than where they are called, which the minifier can inline: the loader
// is counted in bytes.
import { listUrl, toSettings } from './config.ts';
import type { Host, PagePart } from './host.ts';
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
    _read: (slot) => toSettings({ ...tag.dataset, ...slot.dataset }),
    _url: listUrl,
    _scan() {
      for (const slot of findSlots()) {
        if (!slot.afterword && file) {
          // Says its kind to styles and reports, too, when its name does.
          slot.dataset.afterword ||= slot.localName.slice(10);
          // biome-ignore lint/suspicious/noAssignInExpressions: the loader is counted in bytes
          const settings = (slot.afterword = host._read(slot));
          // A slot that the page hides has no place. While the page part is on its way this says nothing more of the
          // file. Read before room is reserved: after that the page would be laid out once more.
          if (IN_PARTS && (slot.getClientRects()[0]?.top as number) < NEAR) {
            file = 'both';
            // A list for everybody is requested at once; one for this reader takes the page part to ask.
            if (settings.afterword == 'top' && !settings.transport) {
              const address = listUrl(`${server}v2/top/${settings.type || 'posts'}`, settings);
              // biome-ignore lint/suspicious/noAssignInExpressions: the loader is counted in bytes
              (host._answers[address] ||= fetch(address).then((response) => response.json())).catch(host._report);
            }
          }
          reserve(slot, settings);
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
