// Which links share the page. Nothing here delays a click.
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
      // As text, a link is its address.
      const link = `${path.find(({ localName }) => localName === 'a')}`;
      for (const [network, address] of Object.entries(SHARES))
        if (address.test(link)) report('share', { data: { network } });
    },
    true,
  );
}
