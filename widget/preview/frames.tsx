// The list as readers see it: a phone and a desktop, in light and in dark, each a page of its own with the real tag.
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Choice, toSampleQuery } from './snippet.ts';

const DEVICES = [
  { name: 'Phone', width: 375, height: 660 },
  { name: 'Desktop', width: 1100, height: 660 },
] as const;
const SCHEMES = ['light', 'dark'] as const;

/** @param post Page a related list is for. */
export function Frames({ choice, post }: { choice: Choice; post: string }) {
  return (
    <section aria-label="How it looks" class="frames">
      {SCHEMES.map((scheme) => (
        <div key={scheme}>
          {DEVICES.map((device) => (
            <Frame
              key={device.name}
              {...device}
              title={`${device.name}, ${scheme}`}
              src={`/preview/page?${toSampleQuery(choice, { scheme, post })}`}
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
