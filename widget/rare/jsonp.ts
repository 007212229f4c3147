// Asks by a script element: for pages whose policy forbids connections.
import type { ofDocument } from '../unclobbered.ts';

/** How long an answer is waited for, and how long after that a late one finds a function to call. */
const PATIENCE_MS = 6000;
const LATE_MS = 30_000;

/**
 * As far as it is needed here; not in TypeScript's library yet. An element takes its result wherever it takes a text.
 */
interface ScriptPolicy {
  createScriptURL(url: string): string;
}
type TrustedWindow = typeof window & {
  trustedTypes: { createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy };
};

/**
 * Where the page requires Trusted Types, its policy names this one: `trusted-types afterword`. Made when it is first
 * needed.
 */
let policy: ScriptPolicy | undefined;

function toScriptUrl(url: string): string {
  // Not where an element has that name, which is no property of the window's own.
  if (Object.hasOwn(window, 'trustedTypes'))
    policy ||= (window as TrustedWindow).trustedTypes.createPolicy('afterword', { createScriptURL: (given) => given });
  return policy ? policy.createScriptURL(url) : url;
}

/**
 * @param id Names the function to call: another for every call and every copy of this file. @throws the address when
 * no answer comes.
 */
export function askByScript(url: string, id: string, { nonce }: HTMLElement, of: typeof ofDocument): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const name = `afterword_${id}`;
    const functions = window as unknown as Record<string, unknown>;
    const script = of('createElement').call(document, 'script') as HTMLScriptElement;
    const end = (): void => {
      script.remove();
      functions[name] = () => {};
      setTimeout(() => delete functions[name], LATE_MS);
      reject(url);
    };
    functions[name] = resolve;
    script.nonce = nonce;
    script.onload = script.onerror = end;
    setTimeout(end, PATIENCE_MS);
    script.src = toScriptUrl(`${url}&callback=${name}`);
    of('head').append(script);
  });
}
