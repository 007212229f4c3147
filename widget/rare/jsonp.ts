// Asks by a script element: for pages whose policy forbids connections.

/** How long an answer is waited for, and how long after that a late one finds a function to call. */
const PATIENCE_MS = 6000;
const LATE_MS = 30_000;

/** @param name of the function to call: another for every call and every copy of this file. @throws the address when no answer comes. */
export function askByScript(url: string, name: string, { nonce }: HTMLElement): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const functions = window as unknown as Record<string, unknown>;
    const script = document.createElement('script');
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
    script.src = `${url}&callback=${name}`;
    document.head.append(script);
  });
}
