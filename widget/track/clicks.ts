// What readers do with links: share the page, follow a list. Nothing here delays a click.
import { report } from './queue.ts';

/** Where the share buttons of the four networks lead. */
const SHARES = {
  fb: /facebook.com.(share|dialog)/,
  tw: /\b(twitter|x).com.(intent|share)/,
  li: /linkedin.com.shar[ei]/,
  pi: /pinterest.+pin.create/,
};

export function watchClicks(): void {
  addEventListener(
    'click',
    (event) => {
      // Not by `closest`, which a field of that name in a form stands before.
      const path = event.composedPath() as Partial<HTMLAnchorElement>[];
      const link = path.find(({ localName }) => localName === 'a')?.href || '';
      for (const [network, address] of Object.entries(SHARES))
        if (address.test(link)) report('share', { data: { network } });
    },
    true,
  );
  for (const what of ['impression', 'click']) {
    addEventListener(`afterword:${what}`, (event) => {
      const list = (event.target as HTMLElement).dataset.afterword;
      const { url } = (event as CustomEvent<{ url?: string }>).detail;
      report('custom', { data: { what, list, link: url } });
    });
  }
}
