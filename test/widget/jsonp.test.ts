// Asking by a script element: one function for one call, nothing left behind, and nothing that a late answer could break.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ofDocument } from '../../widget/unclobbered.ts';

const URL = 'https://stats.example.com/v2/related?apikey=example.com';
const page = window as unknown as Record<string, unknown>;

describe('a call by script', () => {
  let askByScript: typeof import('../../widget/rare/jsonp.ts').askByScript;
  let scripts: HTMLScriptElement[];
  beforeEach(async () => {
    vi.useFakeTimers();
    // Its policy is made once in a page: every test is another page.
    vi.resetModules();
    ({ askByScript } = await import('../../widget/rare/jsonp.ts'));
    scripts = [];
    // Nothing is really fetched.
    vi.spyOn(document.head, 'append').mockImplementation((script) => void scripts.push(script as HTMLScriptElement));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
    Reflect.deleteProperty(window, 'trustedTypes');
  });

  const tag = (nonce = ''): HTMLElement => Object.assign(document.createElement('script'), { nonce });
  const call = (name: string, value: unknown): void => (page[name] as (value: unknown) => void)(value);

  it('names a function of its own, carries the nonce of the tag, and resolves with what it is called with', async () => {
    const answer = askByScript(URL, '1', tag('abc'), ofDocument);
    expect(scripts[0]!.src).toBe(`${URL}&callback=afterword_1`);
    expect(scripts[0]!.nonce).toBe('abc');
    call('afterword_1', { data: [] });
    expect(await answer).toEqual({ data: [] });
  });

  it('leaves a function for late answers, and takes it away after half a minute', async () => {
    const answer = askByScript(URL, '2', tag(), ofDocument);
    call('afterword_2', 'first');
    scripts[0]!.onload!(new Event('load'));
    expect(() => call('afterword_2', 'late')).not.toThrow();
    expect(await answer).toBe('first');
    vi.advanceTimersByTime(30_000);
    expect('afterword_2' in page).toBe(false);
  });

  it.each(['onerror', 'onload'] as const)(
    'fails with the address when the script ends without calling: %s',
    async (end) => {
      const answer = askByScript(URL, '3', tag(), ofDocument);
      (scripts[0]![end] as (event: Event) => void)(new Event('end'));
      await expect(answer).rejects.toBe(URL);
    },
  );

  it('fails after six seconds without an answer, and takes the script away', async () => {
    const answer = askByScript(URL, '4', tag(), ofDocument);
    const removed = vi.spyOn(scripts[0]!, 'remove');
    vi.advanceTimersByTime(5999);
    expect(removed).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(removed).toHaveBeenCalled();
    await expect(answer).rejects.toBe(URL);
  });

  it('makes one policy for Trusted Types, of its own name, and none where the page knows none', async () => {
    void askByScript(URL, '5', tag(), ofDocument).catch(() => undefined);
    const made: string[] = [];
    Object.assign(window, {
      trustedTypes: {
        createPolicy: (name: string, rules: { createScriptURL(url: string): string }) => {
          made.push(name);
          return rules;
        },
      },
    });
    for (const id of ['6', '7']) void askByScript(URL, id, tag(), ofDocument).catch(() => undefined);
    expect(made).toEqual(['afterword']);
    expect(scripts.map(({ src }) => src.split('=').at(-1))).toEqual(['afterword_5', 'afterword_6', 'afterword_7']);
  });
});
