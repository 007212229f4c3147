// What to copy, and where it goes.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Snippet } from './copied.tsx';
import { measureRoom, toRoomStyle } from './room.ts';
import { type Choice, slotAttributes, toPinnedTag, toPolicy, toSelector, toSlot, toStyle, toTag } from './snippet.ts';

export function Snippets({ choice, server }: { choice: Choice; server: string }) {
  const frozen = useFrozen();
  const style = toStyle(choice);
  return (
    <section aria-label="What to copy">
      <h2>Copy this</h2>
      <Snippet label="Once, in the head of every page" text={toTag(choice, server)} />
      <Snippet label="Where the list is to stand" text={toSlot(choice)} />
      <Snippet
        label="In the head, where the list may be in view at once: its room at the first paint"
        text={`<style>\n${useRoom(choice)}\n</style>`}
      />
      {style && <Snippet label="In your style sheet" text={style} />}
      <Snippet label="If you have a content security policy, add to it" text={toPolicy(server)} />
      {frozen && (
        <Snippet label="Instead of the first, if you pin scripts by hash" text={toPinnedTag(choice, server, frozen)} />
      )}
    </section>
  );
}

/** Measured again when the list changes its height. */
function useRoom(choice: Choice): string {
  const selector = toSelector(choice);
  return useMemo(() => toRoomStyle(selector, measureRoom(slotAttributes(choice))), [selector]);
}

/** The newest frozen file and its hash; undefined until they are known. */
function useFrozen(): { file: string; hash: string } | undefined {
  const [frozen, setFrozen] = useState<{ file: string; hash: string }>();
  useEffect(() => {
    const read = async () => {
      const hashes: Record<string, string> = await (await fetch('/integrity.json')).json();
      const [file, hash] = Object.entries(hashes).at(-1) ?? [];
      if (file !== undefined && hash !== undefined) setFrozen({ file, hash });
    };
    read().catch(console.debug);
  }, []);
  return frozen;
}
