// Referrers as browsers, apps and mail programs send them, and what they count as.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { classifyReferrer } from '../../server/ingest/steps/referrer.ts';

const classify = (referrer: string) => {
  const { type, name } = classifyReferrer(URL.canParse(referrer) ? new URL(referrer) : undefined);
  return `${type} ${name}`.trim();
};

test.each([
  ['', 'direct'],
  ['about:blank', 'direct'],
  ['file:///home/reader/page.html', 'direct'],
  ['https://www.google.com/', 'search google'],
  ['https://www.google.de/', 'search google'],
  ['https://www.google.co.uk/search?q=news', 'search google'],
  ['https://google.com.br/', 'search google'],
  ['https://news.google.com/', 'search google'],
  ['https://images.google.fr/imgres', 'search google'],
  ['android-app://com.google.android.googlequicksearchbox/', 'search google'],
  ['https://www.bing.com/', 'search bing'],
  ['https://de.bing.com/search?q=x', 'search bing'],
  ['https://duckduckgo.com/', 'search duckduckgo'],
  ['https://html.duckduckgo.com/html/', 'search duckduckgo'],
  ['https://search.yahoo.com/', 'search yahoo'],
  ['https://uk.search.yahoo.com/search?p=x', 'search yahoo'],
  ['https://r.search.yahoo.com/', 'search yahoo'],
  ['https://search.yahoo.co.jp/', 'search yahoo japan'],
  ['https://yandex.ru/', 'search yandex'],
  ['https://ya.ru/', 'search yandex'],
  ['https://yandex.com.tr/search', 'search yandex'],
  ['https://www.baidu.com/', 'search baidu'],
  ['https://www.ecosia.org/', 'search ecosia'],
  ['https://www.qwant.com/', 'search qwant'],
  ['https://www.startpage.com/', 'search startpage'],
  ['https://search.brave.com/', 'search brave'],
  ['https://kagi.com/', 'search kagi'],
  ['https://search.naver.com/search.naver?query=x', 'search naver'],
  ['https://www.facebook.com/', 'social facebook'],
  ['https://l.facebook.com/l.php?u=x', 'social facebook'],
  ['https://lm.facebook.com/', 'social facebook'],
  ['https://m.facebook.com/', 'social facebook'],
  ['android-app://com.facebook.katana', 'social facebook'],
  ['https://t.co/abcdef', 'social twitter'],
  ['https://twitter.com/', 'social twitter'],
  ['https://x.com/', 'social twitter'],
  ['https://www.linkedin.com/', 'social linkedin'],
  ['https://lnkd.in/abc', 'social linkedin'],
  ['https://www.reddit.com/', 'social reddit'],
  ['https://old.reddit.com/r/news', 'social reddit'],
  ['https://news.ycombinator.com/', 'social hacker news'],
  ['https://www.youtube.com/', 'social youtube'],
  ['https://www.pinterest.co.uk/', 'social pinterest'],
  ['https://www.instagram.com/', 'social instagram'],
  ['https://www.threads.net/', 'social threads'],
  ['https://bsky.app/', 'social bluesky'],
  ['https://go.bsky.app/', 'social bluesky'],
  ['https://mastodon.social/@someone', 'social mastodon'],
  ['https://web.telegram.org/', 'social telegram'],
  ['https://vk.com/', 'social vkontakte'],
  ['https://chatgpt.com/', 'other chatgpt'],
  ['https://www.perplexity.ai/', 'other perplexity'],
  ['https://gemini.google.com/', 'other gemini'],
  ['https://mail.google.com/', 'other gmail'],
  ['https://docs.google.com/document/d/1', 'other google docs'],
  ['https://www.microsoft.com/', 'other microsoft.com'],
  ['https://support.microsoft.com/', 'other microsoft.com'],
  ['https://notfacebook.com/', 'other notfacebook.com'],
  ['https://facebook.com.evil.example/', 'other evil.example'],
  ['https://google.evil.com/', 'other evil.com'],
  ['https://www.cnn.com/', 'other cnn.com'],
  ['https://www.cnn.com/search/?query=x', 'search google'],
  ['https://blog.someone.co.uk/post', 'other someone.co.uk'],
  ['https://someone.github.io/', 'other github.io'],
  ['http://192.168.1.10/', 'other 192.168.1.10'],
  ['http://[::1]:8080/', 'other [::1]'],
  ['http://localhost:3000/', 'other localhost'],
  ['android-app://com.example.reader', 'other com.example.reader'],
])('%s is %s', (referrer, expected) => expect(classify(referrer)).toBe(expected));

test('a host that only contains the name of a network is not that network', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z]{1,8}$/),
      fc.constantFrom('t.co', 'x.com', 'vk.com', 'bing.com'),
      (word, host) => {
        expect(classify(`https://${word}${host}/`)).not.toMatch(/^(social|search) (twitter|vkontakte|bing)$/);
        expect(classify(`https://sub.${host}/`)).toBe(classify(`https://${host}/`));
      },
    ),
  );
});
