// A list chosen and seen: the form, the frames, and what stands beside them. Of the preview and of the console.
import type { ComponentChildren } from 'preact';
import { Form } from './form.tsx';
import { Frames, OwnFrames } from './frames.tsx';
import type { State } from './state.ts';
import { useExample } from './useExample.ts';
import { useSettled } from './useSettled.ts';

interface Props {
  state: State;
  /** The form asks which site it is. */
  asksSite: boolean;
  onChange(change: Partial<State>): void;
  /**
   * What stands below the frames. @param shown The choice that they show. @param post Page a related list is for; ""
   * where there is none yet.
   */
  children: (shown: State, post: string) => ComponentChildren;
}

export function Chooser({ state, asksSite, onChange, children }: Props) {
  const shown = useSettled(state);
  const { trouble, post } = useExample(shown.site);
  // Without an example a page that is named is shown all the same.
  const isNamed = shown.site !== '' && (shown.page || shown.post) !== '';
  return (
    <div class="preview">
      <Form {...{ state, asksSite, onChange }} example={post ?? ''} />
      <div class="shown">
        {trouble && (
          <p class="trouble" role="alert">
            {trouble}
          </p>
        )}
        {(trouble === '' || isNamed) && <Shown choice={shown} post={shown.post || post} />}
        {children(shown, shown.post || (post ?? ''))}
      </div>
    </div>
  );
}

/** Why frames may be empty where no post was read within 30 days. */
const UNREAD = {
  related: 'No post was read within 30 days. Name one to see the list of its page.',
  top: 'No post was read within 30 days. The list may be empty until one is.',
} as const;

/** @param post Page a related list is for; undefined while it is looked for. */
function Shown({ choice, post }: { choice: State; post: string | undefined }) {
  // On a page of one's own the list is that page's.
  if (choice.page) return <OwnFrames choice={choice} post={choice.post || choice.page} />;
  if (choice.kind === 'related' && post === undefined) return null;
  return (
    <>
      {post === '' && <p class="hint">{UNREAD[choice.kind]}</p>}
      <Frames choice={choice} post={post ?? ''} />
    </>
  );
}
