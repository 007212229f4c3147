// The list as readers see it: on a phone, in a sidebar and on a desktop, in light and in dark, each a page of its own
// with the real tag.
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { ask } from './ask.ts';
import { type Finding, Findings } from './check.tsx';
import { ServerRoot } from './serverRoot.ts';
import { type Choice, toOwnQuery, toSampleQuery } from './snippet.ts';

const DEVICES = [
  { name: 'Phone', width: 375, height: 660, place: 'article' },
  // With its margins: the list has 300 pixels.
  { name: 'Sidebar', width: 332, height: 660, place: 'sidebar' },
  { name: 'Desktop', width: 1100, height: 660, place: 'article' },
] as const;
const SCHEMES = ['light', 'dark'] as const;

/**
 * The list in a page of the publisher's, where the server can read it; else why not, and the sample. @param post As
 * below.
 */
export function OwnFrames({ choice, post }: { choice: Choice; post: string }) {
  const { site, kind, page } = choice;
  const root = useContext(ServerRoot);
  const [read, setRead] = useState<Finding>();
  useEffect(() => {
    let current = true;
    const look = async () => {
      const { data, message } = await ask<Finding>(`${root}/preview/own`, { apikey: site, kind, url: page });
      if (current) setRead(data ?? { about: 'page', state: 'problem', says: message });
    };
    setRead(undefined);
    void look();
    return () => {
      current = false;
    };
  }, [root, site, kind, page]);
  if (read === undefined)
    return (
      <p class="hint" aria-live="polite">
        Reading {page} …
      </p>
    );
  const src = `${root}/preview/own/page?${toOwnQuery(choice, post)}#afterword-preview-list`;
  return (
    <>
      <Findings found={[read]} />
      {read.state === 'ok' ? (
        <section aria-label="How it looks" class="frames">
          <div>
            {DEVICES.filter(({ place }) => place === 'article').map(({ name, place, ...size }) => (
              <Frame key={name} {...size} title={`${name}, your page`} src={src} sandbox="" />
            ))}
          </div>
        </section>
      ) : (
        <Frames choice={choice} post={post} />
      )}
    </>
  );
}

/** @param post Page a related list is for. */
export function Frames({ choice, post }: { choice: Choice; post: string }) {
  const root = useContext(ServerRoot);
  return (
    // A strip to be swiped on a phone: with a keyboard it is scrolled when it has the focus.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section aria-label="How it looks" class="frames" tabIndex={0}>
      {SCHEMES.map((scheme) => (
        <div key={scheme}>
          {DEVICES.map(({ name, place, ...size }) => (
            <Frame
              key={name}
              {...size}
              title={`${name}, ${scheme}`}
              src={`${root}/preview/page?${toSampleQuery(choice, { scheme, post, place })}`}
            />
          ))}
        </div>
      ))}
    </section>
  );
}

interface FrameProps {
  title: string;
  src: string;
  /** Pixels a reader's window is wide and high: shown smaller where there is less room. */
  width: number;
  height: number;
  /** What a page of somebody else's may do. Default: it is our own. */
  sandbox?: string;
}

function Frame({ title, src, width, height, sandbox }: FrameProps) {
  const box = useRef<HTMLDivElement>(null);
  const [scale, setScale] = useState(1);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setScale(Math.min(1, entry!.contentRect.width / width)));
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, [width]);
  return (
    <figure style={{ '--width': width }}>
      <figcaption>{title}</figcaption>
      <div ref={box} class="screen" style={{ height: `${height * scale}px` }}>
        {/* Another element for another page: one that is led on adds an entry to the history of the page around it. */}
        <iframe key={src} {...{ title, src, width, height, sandbox }} style={{ transform: `scale(${scale})` }} />
      </div>
    </figure>
  );
}
