// Hosts of search engines, networks and assistants: Matomo's list, and what it does not have yet.
import matomo from './generated/matomo.json' with { type: 'json' };

/** Host → brand in lower case. `{}` stands for a country: `google.{}` is google.de and google.co.uk. */
export interface KnownHosts {
  /** Where the list comes from, and its version. */
  origin: string;
  licence: string;
  search: Record<string, string>;
  /** Portals: a search only when one of the named query parameters is there. Host → brand, parameters. */
  searchWithWords: Record<string, string[]>;
  social: Record<string, string>;
}

export const known: KnownHosts = matomo;

/** Younger than the list. */
export const newerSearch: Record<string, string> = {
  'search.brave.com': 'brave',
  'kagi.com': 'kagi',
  'presearch.com': 'presearch',
  'search.marginalia.nu': 'marginalia',
  'swisscows.com': 'swisscows',
  'metager.org': 'metager',
  'search.yahoo.co.jp': 'yahoo japan',
  'yep.com': 'yep',
  'ya.ru': 'yandex',
};

/** Younger than the list. */
export const newerSocial: Record<string, string> = {
  'x.com': 'twitter',
  'mobile.twitter.com': 'twitter',
  'com.twitter.android': 'twitter',
  'threads.net': 'threads',
  'threads.com': 'threads',
  'com.instagram.android': 'instagram',
  'com.instagram.barcelona': 'threads',
  'bsky.app': 'bluesky',
  'go.bsky.app': 'bluesky',
  'discord.com': 'discord',
  'whatsapp.com': 'whatsapp',
  'wa.me': 'whatsapp',
  'com.whatsapp': 'whatsapp',
  't.me': 'telegram',
  'lm.facebook.com': 'facebook',
  'com.facebook.katana': 'facebook',
  'com.linkedin.android': 'linkedin',
  'com.pinterest': 'pinterest',
  'pin.it': 'pinterest',
  'com.reddit.frontpage': 'reddit',
  'redd.it': 'reddit',
  'lobste.rs': 'lobsters',
  'mas.to': 'mastodon',
  'mstdn.social': 'mastodon',
  'hachyderm.io': 'mastodon',
  'infosec.exchange': 'mastodon',
  'line.me': 'line',
  'truthsocial.com': 'truth social',
  'ok.ru': 'odnoklassniki',
  'nextdoor.com': 'nextdoor',
};

/** Neither search nor network, but known by a brand: assistants, and mail and office pages below a search engine's domain. */
export const namedOther: Record<string, string> = {
  'chatgpt.com': 'chatgpt',
  'chat.openai.com': 'chatgpt',
  'claude.ai': 'claude',
  'copilot.microsoft.com': 'copilot',
  'gemini.google.com': 'gemini',
  'bard.google.com': 'gemini',
  'notebooklm.google.com': 'notebooklm',
  'perplexity.ai': 'perplexity',
  'grok.com': 'grok',
  'meta.ai': 'meta ai',
  'chat.mistral.ai': 'le chat',
  'chat.deepseek.com': 'deepseek',
  'chat.qwen.ai': 'qwen',
  'you.com': 'you',
  'duck.ai': 'duck.ai',
  'mail.google.com': 'gmail',
  'com.google.android.gm': 'gmail',
  'docs.google.com': 'google docs',
  'drive.google.com': 'google drive',
  'sites.google.com': 'google sites',
  'classroom.google.com': 'google classroom',
  'groups.google.com': 'google groups',
  'mail.yahoo.com': 'yahoo mail',
  'mail.yandex.ru': 'yandex mail',
};
