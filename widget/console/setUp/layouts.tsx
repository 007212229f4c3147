// A layout chosen and seen in the console: form, frames and lines of the preview, for the site of the session.
import { Chooser } from '../../preview/chooser.tsx';
import { Snippets } from '../../preview/snippets.tsx';
import type { State } from '../../preview/state.ts';

export interface LayoutsProps {
  state: State;
  /** Address of the server, without a slash at the end. */
  server: string;
  onChange(change: Partial<State>): void;
}

export const Layouts = ({ state, server, onChange }: LayoutsProps) => (
  <Chooser state={state} asksSite={false} onChange={onChange}>
    {() => (
      <div>
        <Snippets choice={state} server={server} />
      </div>
    )}
  </Chooser>
);
