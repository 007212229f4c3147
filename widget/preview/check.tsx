// A live page looked at by the server: what keeps lists from showing there, and what to do.
import { useContext, useState } from 'preact/hooks';
import { type Asked, ask } from './ask.ts';
import { ServerRoot } from './serverRoot.ts';

export interface Finding {
  about: string;
  state: 'ok' | 'warning' | 'problem';
  says: string;
  remedy?: string;
}

const MARKS = { ok: '✓', warning: '!', problem: '✕' } as const;

export function Check({ site }: { site: string }) {
  const root = useContext(ServerRoot);
  const [url, setUrl] = useState('');
  const [busy, setBusy] = useState(false);
  const [asked, setAsked] = useState<Asked<Finding[]>>();
  const check = async (event: Event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setAsked(await ask<Finding[]>(`${root}/preview/check`, { apikey: site, url }));
    setBusy(false);
  };
  return (
    <>
      <p>The server reads it as its crawler does, and says what keeps a list from showing.</p>
      <form class="ask" onSubmit={check}>
        <label>
          <span>Address of an article</span>
          <input
            type="url"
            required
            value={url}
            placeholder={`https://${site || 'example.com'}/…`}
            onInput={({ currentTarget }) => setUrl(currentTarget.value)}
          />
        </label>
        {/* `disabled` would take the focus from the button that was pressed. */}
        <button type="submit" class="primary" aria-disabled={busy}>
          {busy ? 'Reading…' : 'Check'}
        </button>
      </form>
      <div aria-live="polite">
        {asked?.message && <p class="trouble">{asked.message}</p>}
        {asked?.data && <Findings found={asked.data} />}
      </div>
    </>
  );
}

export function Findings({ found }: { found: readonly Finding[] }) {
  return (
    <ul class="findings">
      {found.map(({ about, state, says, remedy }) => (
        <li key={about + says} class={state}>
          <b>
            <i aria-hidden="true">{MARKS[state]}</i> {about}
            <span class="hidden">: {state}</span>
          </b>
          <span>
            {says}
            {remedy && <em> {remedy}</em>}
          </span>
        </li>
      ))}
    </ul>
  );
}
