// The lines that every site needs to show lists: those of the tag, of the slots, of a style sheet and of a policy.
import type { ComponentChildren } from 'preact';
import { Snippet } from './copied.tsx';
import { type Choice, toPolicy, toStyle, toTag } from './snippet.ts';

interface Props {
  choice: Choice;
  /** Address of the server, without a slash at the end. */
  server: string;
  /** Those of the slots. */
  children: ComponentChildren;
}

export function Lines({ choice, server, children }: Props) {
  const style = toStyle(choice);
  return (
    <>
      <Snippet label="Once, in the head of every page" text={toTag(choice, server)} />
      {children}
      {style && <Snippet label="In your style sheet" text={style} />}
      <Snippet label="If you have a content security policy, add to it" text={toPolicy(server)} />
    </>
  );
}
