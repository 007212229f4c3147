// The views of the console, in the order of its navigation. The code of one is loaded when it is first opened.
import type { FunctionComponent } from 'preact';
import type { Choice } from './choice.ts';
import type { Session } from './session.ts';
import type { ViewName } from './viewNames.ts';

export interface ViewProps {
  session: Session;
  choice: Choice;
  /** Sets some of the choice: an entry of the browser's history. */
  choose: (change: Partial<Choice>) => void;
}

export interface View {
  title: string;
  /** Others lead to it: it is not in the navigation. */
  isUnlisted?: true;
  /** Whether a session has it. Default: each has. */
  isFor?: (session: Session) => boolean;
  /** Fills the window: without the bar above it. */
  isBare?: true;
  /** A link may show it to who is not signed in. */
  canBeShared?: true;
  load(): Promise<FunctionComponent<ViewProps>>;
}

export const VIEWS: Readonly<Record<ViewName, View>> = {
  now: { title: 'Now', canBeShared: true, load: async () => (await import('./now/nowView.tsx')).NowView },
  wall: { title: 'Wall', isUnlisted: true, isBare: true, load: async () => (await import('./now/wall.tsx')).Wall },
  traffic: { title: 'Traffic', canBeShared: true, load: async () => (await import('./overview.tsx')).Overview },
  post: { title: 'Post', isUnlisted: true, load: async () => (await import('./post/postView.tsx')).PostView },
  lists: { title: 'Lists', load: async () => (await import('./lists/lists.tsx')).Lists },
  setup: { title: 'Set-up', load: async () => (await import('./setUp/setUpView.tsx')).SetUp },
};
