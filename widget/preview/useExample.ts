// A post of a site to show related posts for, where none is named.
import { useContext, useEffect, useState } from 'preact/hooks';
import { ask } from './ask.ts';
import { ServerRoot } from './serverRoot.ts';

/** Milliseconds until a server that is busy or away is asked again. */
const AGAIN_MS = 5_000;

export interface Example {
  /** "" when there is none, undefined while it is looked for. */
  post: string | undefined;
  /** What is in the way of showing anything, or "". */
  trouble: string;
}

interface Listed {
  url: string;
}

export function useExample(site: string): Example {
  const root = useContext(ServerRoot);
  const [example, setExample] = useState<Example>({ post: undefined, trouble: '' });
  useEffect(() => {
    if (site === '') return setExample({ post: '', trouble: 'Say which site: its Site ID, as the tag names it.' });
    let current = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      const { data = [], message, code } = await ask<Listed[]>(`${root}/v2/top/posts`, { apikey: site, days: '30' });
      const unknown = 'there is none of this name here, or its most read list is switched off';
      const trouble = message && `The site ${site} cannot be shown: ${code === 403 ? unknown : message}.`;
      const post = trouble === '' ? await firstRelated(root, site, data) : '';
      if (!current) return;
      setExample({ post, trouble });
      if (message !== '' && isPassing(code)) timer = setTimeout(() => void look(), AGAIN_MS);
    };
    setExample({ post: undefined, trouble: '' });
    void look();
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [root, site]);
  return example;
}

/** Whether a refusal says something of the moment: too much was asked, or the server is busy or away. */
const isPassing = (code: number | undefined): boolean => code === undefined || code === 429 || code >= 500;

/** The post read most of those that others are related to; where there is none, the post read most. */
async function firstRelated(root: string, site: string, posts: readonly Listed[]): Promise<string> {
  for (const { url } of posts) {
    const only = { limit: '1', respect_empty_results: '1' };
    const { data = [] } = await ask<Listed[]>(`${root}/v2/related`, { apikey: site, url, ...only });
    if (data.length > 0) return url;
  }
  return posts[0]?.url ?? '';
}
