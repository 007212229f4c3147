// A field of a form, with what is wrong with it beside it.
import { useId } from 'preact/hooks';

const INPUTS = {
  text: { type: 'text' },
  number: { type: 'text', inputMode: 'numeric' },
  moment: { type: 'datetime-local' },
} as const;

interface Props {
  label: string;
  value: string;
  hint?: string;
  /** `moment`: a date and a time, without a zone. Default: text. */
  type?: keyof typeof INPUTS;
  /** Values with their labels. Absent: any text. */
  choices?: readonly (readonly [value: string, label: string])[];
  errors: readonly string[] | undefined;
  onInput: (value: string) => void;
}

export function Field({ label, value, hint, type = 'text', choices, errors, onInput }: Props) {
  const id = useId();
  const about = [...(hint ? [`${id}-hint`] : []), ...(errors ? [`${id}-wrong`] : [])].join(' ');
  const common = { ...(about && { 'aria-describedby': about }), ...(errors && { 'aria-invalid': true as const }) };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {choices ? (
        <select id={id} value={value} onInput={({ currentTarget }) => onInput(currentTarget.value)} {...common}>
          {choices.map(([one, said]) => (
            <option key={one} value={one}>
              {said}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          {...INPUTS[type]}
          autocomplete="off"
          value={value}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
          {...common}
        />
      )}
      {hint && (
        <small id={`${id}-hint`} class="soft">
          {hint}
        </small>
      )}
      {errors && (
        <small id={`${id}-wrong`} class="trouble" role="alert">
          {errors.join(' ')}
        </small>
      )}
    </div>
  );
}
