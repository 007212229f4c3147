// A new experiment: what is compared, said back by the server before it begins.
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { LAYOUTS } from '../../../server/contract/attributes.ts';
import { type ExperimentRecord, GOALS, MOST_VARIANTS, RANKINGS } from '../../../server/contract/experiments.ts';
import { type Asked, act } from '../ask.ts';
import { Field } from '../field.tsx';
import { toFigure } from '../figures.ts';
import { isSecondClick } from '../secondClick.ts';
import type { Session } from '../session.ts';
import { takeFocus } from '../takeFocus.ts';
import { WaitingButton } from '../waitingButton.tsx';
import { settingsOf } from './experimentCard.tsx';

interface Props {
  session: Session;
  onClose: (isStarted: boolean) => void;
}

type Texts = Record<string, string>;
/** Fields of a variant beside name and share. */
const SETTINGS = ['layout', 'ranking', 'rules', 'heading', 'limit', 'slot'] as const;
const CHOICES: Readonly<Record<string, readonly string[]>> = { layout: LAYOUTS, ranking: RANKINGS };
const LABELS: Readonly<Record<string, string>> = {
  layout: 'Layout',
  ranking: 'Ranking',
  rules: 'Set of rules',
  heading: 'Heading',
  limit: 'Posts',
  slot: 'In another slot',
};
const HINTS: Readonly<Record<string, string>> = { rules: 'Its name, or none', slot: 'As data-slot names it' };
const GOAL_LABELS = { clicks: 'Clicks', quality_clicks: 'Quality clicks', views: 'Views of a visit' };

interface Draft {
  of: Texts;
  /** The control first. */
  variants: Texts[];
}

const BLANK: Draft = {
  of: { name: '', slot: '', goal: 'clicks', readers: '' },
  variants: [
    { name: 'control', share: '50' },
    { name: 'variant', share: '50' },
  ],
};

const NOTHING_WRONG = { message: '' };

export function ExperimentForm({ session, onClose }: Props) {
  const [draft, setDraft] = useState(BLANK);
  const [said, setSaid] = useState<Pick<Asked<object>, 'errors' | 'message'>>(NOTHING_WRONG);
  const { errors = {}, message: trouble } = said;
  const [checked, setChecked] = useState<{ draft: Draft; record: ExperimentRecord }>();
  const [isBusy, setBusy] = useState(false);
  const { length } = draft.variants;
  const adding = useFocusBehind(length);
  // The first field that is wrong: on a phone, it is far above the button that was pressed.
  useLayoutEffect(() => document.querySelector<HTMLElement>('.start [aria-invalid]')?.focus(), [said]);
  // Of what stands in the form now: it may have been changed while the server was asked.
  const would = checked?.draft === draft ? checked.record : undefined;
  const send = async (isDry: boolean) => {
    setBusy(true);
    const body = { add: toInput(draft), ...(isDry && { dry_run: true }) };
    const asked = await act<{ data: ExperimentRecord[] }>(session.token, '/v2/experiments', body);
    setBusy(false);
    setSaid(asked);
    const [record] = isDry ? (asked.body?.data ?? []) : [];
    setChecked(record && { draft, record });
    if (!isDry && asked.body) onClose(true);
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    void send(would === undefined);
  };
  const field = (name: string) => ({
    value: draft.of[name] ?? '',
    errors: errors[`add.${name}`],
    onInput: (value: string) => setDraft({ ...draft, of: { ...draft.of, [name]: value } }),
  });
  const setVariants = (variants: Texts[]) => setDraft({ ...draft, variants });
  const set = (at: number, name: string, value: string) =>
    setVariants(draft.variants.map((one, place) => (place === at ? { ...one, [name]: value } : one)));
  const named = new Set(fieldsOf(draft));
  const others = Object.entries(errors).flatMap(([name, said]) => (named.has(name) ? [] : said));
  return (
    <form class="start" ref={takeFocus} tabIndex={-1} {...ITSELF} onSubmit={onSubmit}>
      <div class="fields">
        <Field label="Name" hint="Lower-case letters, digits, hyphens" {...field('name')} />
        <Field label="Slot whose list changes" hint="As data-slot names it" {...field('slot')} />
        <Field label="Goal" choices={GOALS.map((goal) => [goal, GOAL_LABELS[goal]])} {...field('goal')} />
        <Field label="Planned readers" hint="50,000 where nothing is said" type="number" {...field('readers')} />
      </div>
      {draft.variants.map((variant, at) => (
        <Variant
          key={at}
          at={at}
          texts={variant}
          errors={errors}
          onInput={(name, value) => set(at, name, value)}
          {...(at > 1 && {
            onRemove: () => {
              setVariants(draft.variants.filter((_, one) => one !== at));
              // What is wrong is said by place, and another variant has this one now.
              setSaid(NOTHING_WRONG);
            },
          })}
        />
      ))}
      {length < MOST_VARIANTS && (
        <button
          type="button"
          class="plain"
          ref={adding}
          onClick={() => setVariants([...draft.variants, { name: `variant-${length}`, share: '' }])}
        >
          Add a variant
        </button>
      )}
      {trouble !== '' && (others.length > 0 || named.size === 0 || Object.keys(errors).length === 0) && (
        <p class="trouble" role="alert">
          {others.join(' ') || trouble}
        </p>
      )}
      {would !== undefined && <Would record={would} />}
      <Go {...{ isBusy, would, onClose }} />
    </form>
  );
}

function Go({
  isBusy,
  would,
  onClose,
}: Pick<Props, 'onClose'> & { isBusy: boolean; would?: ExperimentRecord | undefined }) {
  return (
    <div class="go">
      <WaitingButton type="submit" class="primary" isBusy={isBusy}>
        {isBusy ? 'Working…' : would === undefined ? 'See what would begin' : `Start ${would.name}`}
      </WaitingButton>
      <button type="button" onClick={() => onClose(false)}>
        Cancel
      </button>
    </div>
  );
}

const ITSELF = {
  'aria-label': 'New experiment',
  noValidate: true,
  /** A key that is held down would start what it asked about before that can be read. */
  onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && event.repeat) event.preventDefault();
  },
};

/**
 * A ref of the button behind a list: it has the focus where the button of the last item was removed with its item, and
 * at once, as a key pressed before the next paint would otherwise go to the page.
 */
function useFocusBehind(length: number): RefObject<HTMLButtonElement | null> {
  const behind = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (document.activeElement === document.body) behind.current?.focus();
  }, [length]);
  return behind;
}

interface VariantProps {
  at: number;
  texts: Texts;
  errors: Readonly<Record<string, string[]>>;
  onInput: (name: string, value: string) => void;
  onRemove?: () => void;
}

function Variant({ at, texts, errors, onInput, onRemove }: VariantProps) {
  const isControl = at === 0;
  const field = (name: string) => ({
    value: texts[name] ?? '',
    errors: errors[`add.variants.${at}.${name}`],
    onInput: (value: string) => onInput(name, value),
  });
  const own = errors[`add.variants.${at}`];
  return (
    <fieldset class="variant-fields">
      <legend>{isControl ? 'Control: the list as it is' : `Variant ${at}`}</legend>
      <div class="fields">
        <Field label="Name" {...field('name')} />
        <Field label="Percent of readers" type="number" {...field('share')} />
        {!isControl && (
          <Field
            label="List"
            choices={[
              ['', 'As it is'],
              ['none', 'None: to see what the list brings'],
            ]}
            {...field('list')}
          />
        )}
        {!isControl &&
          texts.list !== 'none' &&
          SETTINGS.map((name) => (
            <Field
              key={name}
              label={LABELS[name] ?? name}
              {...(CHOICES[name] && {
                choices: [['', 'As it is'], ...CHOICES[name].map((one) => [one, one] as const)],
              })}
              {...(name === 'limit' && { type: 'number' as const })}
              {...(HINTS[name] && { hint: HINTS[name] })}
              {...field(name)}
            />
          ))}
      </div>
      {own && (
        <p class="trouble" role="alert">
          {own.join(' ')}
        </p>
      )}
      {onRemove && (
        <button type="button" class="plain" onClick={(event) => isSecondClick(event) || onRemove()}>
          Remove<span class="hidden"> variant {at}</span>
        </button>
      )}
    </fieldset>
  );
}

function Would({ record: { name, slot, goal, readers, variants } }: { record: ExperimentRecord }) {
  return (
    <div class="would" role="status">
      <p>
        <strong>{name}</strong> would begin now in the slot <bdi>{slot}</bdi>, be decided by{' '}
        {GOAL_LABELS[goal].toLowerCase()}, and end at {toFigure(readers)} readers at the latest.
      </p>
      <ul>
        {variants.map((variant) => (
          <li key={variant.name}>{settingsOf(variant)}</li>
        ))}
      </ul>
    </div>
  );
}

/** Names of the errors that have a place of their own in the form. */
const fieldsOf = ({ of, variants }: Draft): string[] => [
  ...Object.keys(of).map((name) => `add.${name}`),
  ...variants.flatMap((_, at) =>
    ['', '.name', '.share', '.list', ...SETTINGS.map((name) => `.${name}`)].map((name) => `add.variants.${at}${name}`),
  ),
];

/** What is not said is left out; a number that is none is sent as it is, for the server to say so. */
function toInput({ of: { readers, ...of }, variants }: Draft): object {
  return {
    ...of,
    ...(readers && { readers: toNumber(readers) }),
    variants: variants.map(({ share = '', list, ...settings }) => ({
      ...Object.fromEntries(
        Object.entries(list ? { name: settings.name ?? '', list } : settings).filter(([, value]) => value !== ''),
      ),
      name: settings.name ?? '',
      share: toNumber(share),
    })),
  };
}

/** null is what JSON makes of no number. */
const toNumber = (text: string): number | null =>
  text.trim() === '' || Number.isNaN(Number(text)) ? null : Number(text);
