// What can be chosen. Plain controls with labels, nothing to learn.
import { useState } from 'preact/hooks';
import { idle, type Option, optionsOf } from './options.ts';
import type { State } from './state.ts';

interface FormProps {
  state: State;
  /** Which site it is, is asked, too. */
  asksSite: boolean;
  /** Post that is taken where none is named. */
  example: string;
  onChange(change: Partial<State>): void;
}

const GROUPS = ['List', 'Which posts', 'On the tag'] as const;

export function Form({ state, asksSite, example, onChange }: FormProps) {
  const { site, kind, values, accent, radius, css, page, post } = state;
  const set = (name: string) => (value: string) => onChange({ values: { ...values, [name]: value } });
  return (
    <form aria-label="The list" onSubmit={(event) => event.preventDefault()}>
      <fieldset>
        <legend>Page</legend>
        {asksSite && (
          <Text
            label="Site ID"
            value={site}
            placeholder="example.com"
            onInput={(next) => onChange({ site: next, post: '' })}
          />
        )}
        <Choice
          label="Kind"
          value={kind}
          values={[
            ['related', 'Related posts'],
            ['top', 'Most read'],
          ]}
          onInput={(next) => onChange({ kind: next === 'top' ? 'top' : 'related' })}
        />
        {kind === 'related' && (
          <Text
            label="Related to this post"
            type="url"
            value={post}
            placeholder={example}
            onInput={(next) => onChange({ post: next })}
          />
        )}
        <Text
          label="Page of yours to show the list in"
          type="url"
          value={page}
          placeholder="https://"
          atEnd
          onInput={(next) => onChange({ page: next })}
        />
        <Text
          label="Style sheet of your pages, for the frames"
          type="url"
          value={css}
          placeholder="https://"
          onInput={(next) => onChange({ css: next })}
        />
      </fieldset>
      {GROUPS.map((group) => (
        <fieldset key={group}>
          <legend>{group}</legend>
          {optionsOf(kind)
            .filter((option) => option.group === group)
            .map((option) => (
              <Field
                key={option.name}
                option={option}
                reason={idle(option.name, values)}
                value={values[option.name] ?? option.initial}
                onInput={set(option.name)}
              />
            ))}
          {group === 'List' && (
            <>
              <Colour value={accent} onInput={(next) => onChange({ accent: next })} />
              <Text
                label="Corners, in pixels"
                type="number"
                min={0}
                max={99}
                value={radius}
                onInput={(next) => onChange({ radius: next })}
              />
            </>
          )}
        </fieldset>
      ))}
    </form>
  );
}

interface FieldProps {
  value: string;
  onInput(value: string): void;
}

/** @param reason Why the option changes nothing: it is switched off, and says so. */
function Field({ reason, ...rest }: FieldProps & { option: Option; reason: string | undefined }) {
  const id = `idle-${rest.option.name}`;
  return (
    <fieldset class="option" disabled={reason !== undefined} aria-describedby={reason && id}>
      <Control {...rest} />
      {reason && <small id={id}>{reason}</small>}
    </fieldset>
  );
}

function Control({ option, ...rest }: FieldProps & { option: Option }) {
  const { label, control } = option;
  switch (control.is) {
    case 'choice':
      return <Choice label={label} values={control.values} {...rest} />;
    case 'switch':
      return (
        <Check
          label={label}
          checked={rest.value === control.value}
          onInput={(checked) => rest.onInput(checked ? control.value : option.initial)}
        />
      );
    case 'words':
      return <Words label={label} words={control.values} none={control.none} {...rest} />;
    case 'number':
      return <Text label={label} type="number" min={control.min} max={control.max} {...rest} />;
    default:
      return <Text label={label} type={control.is} placeholder={control.placeholder} {...rest} />;
  }
}

interface TextProps extends FieldProps {
  label: string;
  type?: 'text' | 'url' | 'number' | 'date';
  placeholder?: string | undefined;
  min?: number;
  max?: number;
  /** Said when all is typed, not with each letter: it is asked for at once. */
  atEnd?: boolean;
}

interface Typing {
  currentTarget: HTMLInputElement;
}

function Text({ label, type = 'text', atEnd = false, value, onInput, ...rest }: TextProps) {
  // What is drawn while the field is typed in: the value has no blank at its end, and nothing of what is no value yet.
  const [typed, setTyped] = useState<string>();
  // One of several kinds of input, where the types want it known which.
  const kind = { type } as { type: 'text' };
  const say = ({ currentTarget }: Typing) => currentTarget.validity.valid && onInput(currentTarget.value.trim());
  const follow = (event: Typing) => {
    setTyped(event.currentTarget.value);
    if (!atEnd) say(event);
  };
  return (
    <label>
      <span>{label}</span>
      <input
        {...kind}
        spellcheck={false}
        autocapitalize="none"
        {...rest}
        value={typed ?? value}
        onInput={follow}
        {...(atEnd && { onChange: say })}
        onBlur={({ currentTarget }) => currentTarget.validity.valid && setTyped(undefined)}
      />
    </label>
  );
}

function Choice({
  label,
  values,
  value,
  onInput,
}: FieldProps & { label: string; values: readonly (readonly [string, string])[] }) {
  return (
    <div class="choice" role="radiogroup" aria-label={label}>
      <span aria-hidden="true">{label}</span>
      <div>
        {values.map(([one, text]) => (
          <label key={one}>
            <input type="radio" name={label} checked={one === value} onInput={() => onInput(one)} />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </div>
  );
}

function Check({ label, checked, onInput }: { label: string; checked: boolean; onInput(checked: boolean): void }) {
  return (
    <label class="tick">
      <input type="checkbox" checked={checked} onInput={({ currentTarget }) => onInput(currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}

interface WordsProps extends FieldProps {
  label: string;
  words: readonly string[];
  none: string;
}

function Words({ label, words, none, value, onInput }: WordsProps) {
  const said = value.split(' ').filter(Boolean);
  const toggle = (word: string, checked: boolean) =>
    onInput(words.filter((one) => (one === word ? checked : said.includes(one))).join(' ') || none);
  return (
    <fieldset class="words">
      <legend>{label}</legend>
      <div>
        {words.map((word) => (
          <Check key={word} label={word} checked={said.includes(word)} onInput={(checked) => toggle(word, checked)} />
        ))}
      </div>
    </fieldset>
  );
}

const PLAIN = '#b3261e';

function Colour({ value, onInput }: FieldProps) {
  return (
    <div class="colour">
      <Check label="Accent colour" checked={value !== ''} onInput={(checked) => onInput(checked ? PLAIN : '')} />
      {value !== '' && (
        <input
          type="color"
          aria-label="Accent colour, as a colour"
          value={value}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      )}
    </div>
  );
}
