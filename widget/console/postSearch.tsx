// Finds a post of the site by its words, and opens it. A list below the field, chosen from with the arrow keys.
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { askApi, FORBIDDEN } from './ask.ts';
import { ChoosingContext } from './choiceLink.tsx';
import type { Listed } from './panels.ts';
import { SiteDay } from './siteDay.tsx';
import { SessionEnded } from './useAnswer.ts';

interface Found {
  /** The words that it is the answer to. */
  to: string;
  posts: Listed[];
  message: string;
}

/** While somebody types. */
const PAUSE_MS = 200;
const MOST = 8;
const LIST = 'found-posts';
const optionOf = (at: number) => `${LIST}-${at}`;

const OFF = 'The search of this site is switched off. Open a post from a table instead.';

export function PostSearch() {
  const { choose } = useContext(ChoosingContext)!;
  const field = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const found = useFound(words.trim());
  const posts = found?.posts ?? [];
  const open = (url = '') => {
    setOpen(false);
    setWords('');
    field.current?.blur();
    choose({ view: 'post', filters: { post: url } });
    scrollTo(0, 0);
  };
  const onKey = (event: KeyboardEvent) => {
    // Keys of a composition are the input method's: its Enter chooses characters.
    if (event.isComposing) return;
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: Math.max(at, 0) - 1 };
    if (event.key === 'Escape') return setOpen(false);
    if (event.key === 'Enter') {
      event.preventDefault();
      const [post] = posts.slice(Math.max(0, at));
      if (isAddress(words)) open(words.trim());
      else if (post && isOpen) open(post.url);
      return;
    }
    const to = steps[event.key];
    if (to === undefined || posts.length === 0) return;
    event.preventDefault();
    setOpen(true);
    setAt((to + posts.length) % posts.length);
  };
  const isShown = isOpen && words.trim() !== '';
  // Its list is no list of options of the browser's own.
  const combobox = {
    role: 'combobox',
    list: undefined,
    'aria-expanded': isShown,
    'aria-controls': LIST,
    'aria-autocomplete': 'list',
    ...(isShown && posts[at] && { 'aria-activedescendant': optionOf(at) }),
  } as const;
  return (
    <search class="find">
      <input
        ref={field}
        type="search"
        {...combobox}
        placeholder="Find a post"
        aria-label="Find a post by its words, or its address"
        autocomplete="off"
        spellcheck={false}
        value={words}
        onInput={({ currentTarget }) => {
          setWords(currentTarget.value);
          setOpen(true);
          setAt(-1);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKey}
      />
      <div class="found" hidden={!isShown}>
        <p role="status">{isShown ? sentenceOf(words, found) : ''}</p>
        <div role="listbox" id={LIST} aria-label="Posts" tabIndex={-1}>
          {posts.map((post, place) => (
            <Option key={post.url} post={post} id={optionOf(place)} isActive={place === at} onChoose={open} />
          ))}
        </div>
      </div>
    </search>
  );
}

interface OptionProps {
  post: Listed;
  id: string;
  isActive: boolean;
  onChoose: (url?: string) => void;
}

const Option = ({ post: { url, title, section, pub_date = '' }, id, isActive, onChoose }: OptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys, and names the active option.
  <div
    id={id}
    role="option"
    tabIndex={-1}
    aria-selected={isActive}
    // The field would lose the focus, and the list be closed, before the click.
    onMouseDown={(event) => event.preventDefault()}
    onClick={() => onChoose(url)}
  >
    <bdi>{title || url}</bdi>
    <small>
      {section}
      {section && pub_date && ', '}
      {pub_date && <SiteDay of={pub_date} />}
    </small>
  </div>
);

const isAddress = (words: string): boolean => /^https?:\/\/\S+$/i.test(words.trim());

function sentenceOf(words: string, found: Found | undefined): string {
  if (isAddress(words)) return 'Press Enter to open the post of this address.';
  if (found === undefined) return 'Searching…';
  if (found.message !== '') return found.message;
  const { length } = found.posts;
  if (length === 0) return 'No post has all of these words.';
  return length === 1 ? 'One post.' : length === MOST ? `The ${MOST} closest posts.` : `${length} posts.`;
}

/** The answer to the words; undefined while it is waited for. */
function useFound(words: string): Found | undefined {
  const [found, setFound] = useState<Found>();
  const ended = useContext(SessionEnded);
  useEffect(() => {
    if (words === '' || isAddress(words)) return setFound(undefined);
    const left = new AbortController();
    const ask = async () => {
      const { body, message, code } = await askApi<{ data: Listed[] }>(
        '/v2/search',
        [
          ['q', words],
          ['prefix', '1'],
          ['limit', String(MOST)],
        ],
        left.signal,
      );
      if (left.signal.aborted) return;
      // Where the session has ended, this is found out, and the page says so.
      if (code === FORBIDDEN) ended();
      setFound({ to: words, posts: body?.data ?? [], message: code === FORBIDDEN ? OFF : message });
    };
    const pause = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      clearTimeout(pause);
      left.abort();
    };
  }, [words]);
  return found?.to === words ? found : undefined;
}
