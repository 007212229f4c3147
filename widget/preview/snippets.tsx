// All that is to copy for a list, and where it goes.
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { Snippet } from './copied.tsx';
import { Lines } from './lines.tsx';
import { measureRoom, toRoomStyle } from './room.ts';
import { ServerRoot } from './serverRoot.ts';
import { type Choice, slotAttributes, toPinnedTag, toSelector, toSlot } from './snippet.ts';

export function Snippets({ choice, server }: { choice: Choice; server: string }) {
  const frozen = useFrozen();
  return (
    <>
      <Lines choice={choice} server={server}>
        <Snippet label="Where the list is to stand" text={toSlot(choice)} />
        <Snippet
          label="In the head, where the list may be in view at once: its room at the first paint"
          text={`<style>\n${useRoom(choice)}\n</style>`}
        />
      </Lines>
      {frozen && (
        <Snippet label="Instead of the first, if you pin scripts by hash" text={toPinnedTag(choice, server, frozen)} />
      )}
    </>
  );
}

/** Measured again when the list changes its height. */
function useRoom(choice: Choice): string {
  const selector = toSelector(choice);
  return useMemo(() => toRoomStyle(selector, measureRoom(slotAttributes(choice))), [selector]);
}

/** The newest frozen file and its hash; undefined until they are known. */
function useFrozen(): { file: string; hash: string } | undefined {
  const root = useContext(ServerRoot);
  const [frozen, setFrozen] = useState<{ file: string; hash: string }>();
  useEffect(() => {
    const read = async () => {
      const hashes: Record<string, string> = await (await fetch(`${root}/integrity.json`)).json();
      const [file, hash] = Object.entries(hashes).at(-1) ?? [];
      if (file !== undefined && hash !== undefined) setFrozen({ file, hash });
    };
    read().catch(console.debug);
  }, [root]);
  return frozen;
}
