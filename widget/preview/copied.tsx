// A text with a button that copies it.
import { useState } from 'preact/hooks';

/** How long a button says that it has copied. */
const SAID_MS = 1_500;

export function Snippet({ label, text }: { label: string; text: string }) {
  const [said, setSaid] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
    } catch (error) {
      // Without a secure page there is no clipboard: the text is selected instead.
      console.debug(error);
      setSaid('Select and copy');
    }
    setTimeout(() => setSaid(''), SAID_MS);
  };
  return (
    <div class="snippet">
      <div>
        <h3>{label}</h3>
        <button type="button" onClick={copy} aria-label={`Copy: ${label}`}>
          <span aria-live="polite">{said || 'Copy'}</span>
        </button>
      </div>
      <pre>
        <code>{text}</code>
      </pre>
    </div>
  );
}
