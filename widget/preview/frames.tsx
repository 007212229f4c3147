// The list as readers see it: on a phone, in a sidebar and on a desktop, in light and in dark, each a page of its own with the real tag.
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Choice, toSampleQuery } from './snippet.ts';

const DEVICES = [
  { name: 'Phone', width: 375, height: 660, place: 'article' },
  // With its margins: the list has 300 pixels.
  { name: 'Sidebar', width: 332, height: 660, place: 'sidebar' },
  { name: 'Desktop', width: 1100, height: 660, place: 'article' },
] as const;
const SCHEMES = ['light', 'dark'] as const;

/** @param post Page a related list is for. */
export function Frames({ choice, post }: { choice: Choice; post: string }) {
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
              src={`/preview/page?${toSampleQuery(choice, { scheme, post, place })}`}
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
}

function Frame({ title, src, width, height }: FrameProps) {
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
        <iframe title={title} src={src} width={width} height={height} style={{ transform: `scale(${scale})` }} />
      </div>
    </figure>
  );
}
