// A link to another choice: another view, another filter. It has an address, so that another tab can open it.
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Choice, writeChoice } from './choice.ts';

export interface Choosing {
  choice: Choice;
  /** Sets some of the choice: an entry of the browser's history. */
  choose: (change: Partial<Choice>) => void;
  /** The page of a link: nothing leads to another view or filter. Default: false. */
  isFixed?: true;
  /** Something else was chosen since the page was loaded. Default: false. */
  hasChosen?: boolean;
}

/** Set by the frame, around every view. */
export const ChoosingContext = createContext<Choosing | undefined>(undefined);

interface Props {
  change: Partial<Choice>;
  class?: string;
  /** It leads to what is shown. Default: false. */
  isCurrent?: boolean;
  children: ComponentChildren;
}

export function ChoiceLink({ change, class: name, isCurrent = false, children }: Props) {
  const { choice, choose } = useContext(ChoosingContext)!;
  const open = (event: MouseEvent) => {
    // Another tab or window is the browser's.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    choose(change);
    scrollTo(0, 0);
  };
  return (
    <a
      {...(name !== undefined && { class: name })}
      href={writeChoice({ ...choice, ...change }) || '?'}
      {...(isCurrent && { 'aria-current': 'page' as const })}
      onClick={open}
    >
      {children}
    </a>
  );
}

/** Whether the page is that of a link, which has one view with its filters. */
export const useFixed = (): boolean => useContext(ChoosingContext)?.isFixed === true;

/** A link to what the console knows of a post; a post is known by its URL alone. */
export function PostLink({ url, children }: { url: string; children: ComponentChildren }) {
  const { choice, isFixed } = useContext(ChoosingContext)!;
  if (isFixed) return <span class="title">{children}</span>;
  return (
    <ChoiceLink change={{ view: 'post', filters: { ...visitsOf(choice.filters), post: url } }}>{children}</ChoiceLink>
  );
}

/** Filters that say something of a visit hold for one post as well; the others are about which posts. */
const visitsOf = ({ referrer, channel, segment, campaign_id, device }: Choice['filters']): Choice['filters'] => ({
  ...(referrer !== undefined && { referrer }),
  ...(channel !== undefined && { channel }),
  ...(segment !== undefined && { segment }),
  ...(campaign_id !== undefined && { campaign_id }),
  ...(device !== undefined && { device }),
});

/** A link to a page of the site itself; only to http and https. */
export const PageLink = ({ url, of }: { url: string; of: string }) =>
  /^https?:\/\//i.test(url) ? (
    <a class="page" href={url} target="_blank" rel="noopener noreferrer" title="Open the page">
      <i aria-hidden="true">↗</i>
      <span class="hidden">Open the page of {of}</span>
    </a>
  ) : null;

/** The title of a post, which leads to what the console knows of it, and a link to its page. Titles are only text. */
export const PostTitle = ({ title, url }: { title?: string | undefined; url: string }) => (
  <span class="titled">
    <PostLink url={url}>
      <bdi>{title || url}</bdi>
    </PostLink>
    <PageLink url={url} of={title || url} />
  </span>
);
