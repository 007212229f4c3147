// Bots that are counted under a name of their own in /metrics: the crawlers, fetchers and agents of assistants and of
// search engines. Names as their operators publish them, of November 2026: developers.openai.com/docs/bots,
// support.claude.com (ClaudeBot, Claude-User, Claude-SearchBot), docs.perplexity.ai/guides/bots,
// developers.google.com/search/docs/crawling-indexing, developers.facebook.com/docs/sharing/webmasters/web-crawlers,
// docs.mistral.ai/robots, duckduckgo.com/duckassistbot, developer.amazon.com/amazonbot.
// Generic words ("Operator", "Devin", "Kagi") are left out: they are names of apps and devices of readers too.

export const BOT_NAMES: readonly string[] = [
  // OpenAI
  'GPTBot',
  'OAI-SearchBot',
  'OAI-AdsBot',
  'ChatGPT-User',
  // Anthropic
  'ClaudeBot',
  'Claude-User',
  'Claude-SearchBot',
  'Claude-Web',
  'anthropic-ai',
  // Perplexity
  'PerplexityBot',
  'Perplexity-User',
  // Google
  'Googlebot',
  'Google-Extended',
  'Google-CloudVertexBot',
  'Google-NotebookLM',
  'Google-Agent',
  'GoogleAgent-Mariner',
  'GoogleOther',
  'Gemini-Deep-Research',
  // Meta
  'Meta-ExternalAgent',
  'Meta-ExternalFetcher',
  'Meta-WebIndexer',
  'FacebookBot',
  'facebookexternalhit',
  // Amazon
  'Amazonbot',
  'Amzn-SearchBot',
  'Amzn-User',
  'bedrockbot',
  // Apple
  'Applebot-Extended',
  'Applebot',
  // Others that train models or answer with them
  'MistralAI-User',
  'MistralAI-Index',
  'DuckAssistBot',
  'AzureAI-SearchBot',
  'Bytespider',
  'TikTokSpider',
  'CCBot',
  'cohere-ai',
  'cohere-training-data-crawler',
  'YouBot',
  'PhindBot',
  'Andibot',
  'AI2Bot',
  'DeepSeekBot',
  'Manus-User',
  'LinkupBot',
  'TavilyBot',
  'FirecrawlAgent',
  'Cloudflare-AutoRAG',
  'Diffbot',
  'Timpibot',
  'ImagesiftBot',
  'Kangaroo Bot',
  'PanguBot',
  'PetalBot',
  'Webzio-Extended',
  'omgilibot',
  'ICC-Crawler',
  'Cotoyogi',
  'Scrapy',
  // Search engines and tools for publishers
  'bingbot',
  'DuckDuckBot',
  'YandexBot',
  'Baiduspider',
  'AhrefsBot',
  'SemrushBot',
  'MJ12bot',
  'DotBot',
  'HeadlessChrome',
  'UptimeRobot',
];

/** Every other bot. */
export const OTHER_BOT = 'other';

const WHOLE_NAME = new RegExp(`(?<![a-z0-9])(?:${BOT_NAMES.join('|')})(?![a-z0-9])`, 'i');
const SPELLINGS = new Map(BOT_NAMES.map((name) => [name.toLowerCase(), name]));

/** @returns The bot of the table that a user agent names, as the table spells it; undefined where it names none. */
export function namedBot(userAgent: string): string | undefined {
  const found = WHOLE_NAME.exec(userAgent)?.[0];
  return found === undefined ? undefined : SPELLINGS.get(found.toLowerCase());
}
