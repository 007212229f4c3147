// A message as a mail to one recipient: subject, text, HTML, and the headers that unsubscribe with one click.
// Source: RFC 8058.
import { inWholeDigits } from '../counted.ts';
import type { MorningPage } from '../rankings/morningPage.ts';
import type { StoredMessage } from '../storage/messages.ts';
import { dayOf } from '../traffic/zone.ts';
import { button, frame, ink, muted, paragraph, part, row, text } from './layout.ts';
import { type Mail, oneLine } from './mail.ts';
import { toMorningBody } from './morningHtml.ts';
import { change, dayName, headingOf, viewsOf } from './morningText.ts';

export interface Envelope {
  to: string;
  /** Names the recipient in the id of the mail. */
  recipient: string;
  /** Host name in the id of the mail. */
  domain: string;
  /** Address of the server, without a slash at its end. */
  publicUrl: string;
  /** Address that unsubscribes; undefined: the operator's own mails have none. */
  unsubscribe: string | undefined;
  /** Time zone of the site; the operator's: UTC. */
  zone: string;
}

type Content = Pick<StoredMessage, 'site' | 'id' | 'kind' | 'at' | 'text' | 'data'>;

export function toMail(message: Content, envelope: Envelope): Mail {
  const { to, recipient, domain, publicUrl, unsubscribe, zone } = envelope;
  const subject = subjectOf(message);
  const console = consoleOf(message, publicUrl, zone);
  const why = reasonOf(message, envelope);
  return {
    to,
    messageId: `<${message.id}.${recipient}@${domain}>`,
    subject,
    text: [
      message.text,
      ...(console === undefined ? [] : ['', `In the console: ${console}`]),
      ...['', '-- ', why],
      ...(unsubscribe === undefined ? [] : [`Unsubscribe: ${unsubscribe}`]),
      '',
    ].join('\n'),
    html: toHtml(message, { console, foot: footOf(why, unsubscribe) }),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(unsubscribe !== undefined && {
        'List-Id': `<${message.site}.afterword.${domain}>`,
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  };
}

/** The page as a mail looks, without the links of a recipient. */
export const toMorningHtml = (page: MorningPage, publicUrl?: string): string =>
  morningFrame(page, { console: publicUrl && dayInConsole(publicUrl, page.apikey, page.day), foot: '' });

interface Around {
  console: string | undefined;
  /** HTML. */
  foot: string;
}

function toHtml(message: Content, around: Around): string {
  return isMorningPage(message)
    ? morningFrame(message.data as unknown as MorningPage, around)
    : alarmFrame(message, around);
}

const isMorningPage = ({ kind }: Content): boolean => kind === 'digest.morning';

function morningFrame(page: MorningPage, { console, foot }: Around): string {
  const [views] = page.figures;
  return frame({
    title: headingOf(page),
    preview: views === undefined ? '' : viewsLine(views),
    over: page.apikey,
    heading: dayName(page.day),
    body: toMorningBody(page, console),
    foot,
  });
}

function alarmFrame(message: Content, { console, foot }: Around): string {
  const says = oneLine(withoutSite(message), 2_000);
  const figures = figuresOf(message);
  return frame({
    title: subjectOf(message),
    preview: oneLine(says, 200),
    over: nameOf(message),
    heading: oneLine(headlineOf(message)),
    body: [
      paragraph(text(says)),
      part(
        'Figures',
        figures.map(([name, value]) => row(text(name), text(value))),
      ),
      console === undefined ? '' : button(console, 'Look at the day in the console'),
    ].join('\n'),
    foot,
  });
}

const withoutSite = ({ site, text }: Content): string =>
  text.startsWith(`${site}: `) && site !== ''
    ? text.slice(site.length + 2, site.length + 3).toUpperCase() + text.slice(site.length + 3)
    : text;

const nameOf = ({ site, data }: Content): string => site || String(data.host ?? 'Afterword');

/** What the subject and the heading say. */
function headlineOf({ kind, data }: Content): string {
  switch (kind) {
    case 'alarm.silent':
      return 'No views';
    case 'alarm.spike':
      return `Unusually many views: ${inWholeDigits(Number(data.views))}`;
    case 'alarm.slump':
      return `Unusually few views: ${inWholeDigits(Number(data.views))}`;
    case 'experiment.ended':
      return `The experiment ${String(data.experiment)} has ended`;
    case 'headline.won':
      return `Readers have chosen: ${String(data.title)}`;
    case 'disk.fills':
      return 'The disk fills';
    default:
      return kind;
  }
}

function subjectOf(message: Content): string {
  if (!isMorningPage(message)) return oneLine(`${nameOf(message)}: ${headlineOf(message)}`);
  const page = message.data as unknown as MorningPage;
  const [views] = page.figures;
  return oneLine(views === undefined ? headingOf(page) : `${headingOf(page)}: ${viewsLine(views)}`);
}

const viewsLine = ({ value, usual }: MorningPage['figures'][number]): string =>
  `${viewsOf(value)}${usual === null ? '' : ` (${change(value, usual.median)})`}`;

/** Figures of an alarm about traffic. */
function figuresOf({ kind, data }: Content): [name: string, value: string][] {
  if (!kind.startsWith('alarm.')) return [];
  const { views, expected, usual } = data as {
    views: number;
    expected: number;
    usual: { median: number; low: number; high: number };
  };
  return [
    ['Views of all pages', inWholeDigits(views)],
    ['Expected after the hours before', inWholeDigits(expected)],
    ['Usual at this weekday and time', inWholeDigits(usual.median)],
    ['Middle half of the weeks before', `${inWholeDigits(usual.low)} to ${inWholeDigits(usual.high)}`],
  ];
}

function consoleOf(message: Content, publicUrl: string, zone: string): string | undefined {
  if (message.site === '') return undefined;
  const day = isMorningPage(message) ? String(message.data.day) : dayOf(message.at, zone);
  return dayInConsole(publicUrl, message.site, day);
}

/** In the folder of the site: a browser with a session of another site is asked to sign in to this one. */
const dayInConsole = (publicUrl: string, site: string, day: string): string =>
  `${publicUrl}/console/site/${site}/?${new URLSearchParams({ period: 'own', from: day, to: day })}`;

function reasonOf({ site }: Content, { to, publicUrl }: Envelope): string {
  const server = new URL(publicUrl).host;
  return site === ''
    ? `${to} is the operator's address of ${server} (--operator-mail).`
    : `${to} gets this because the operator of ${server} added it for ${site}.`;
}

const footOf = (why: string, unsubscribe: string | undefined): string =>
  muted(
    `${text(why)}${unsubscribe === undefined ? '' : `<br><a href="${text(unsubscribe)}" ${ink('muted')}>Unsubscribe</a>`}`,
  );
