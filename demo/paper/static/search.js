// Results while a reader types: the page that the form leads to, asked for in the background. Without this script the
// form leads there when it is sent.

const form = document.querySelector('form[role="search"]');
const PARTS = ['said', 'found'];
/** Milliseconds without another letter until the question is asked. */
const PAUSE = 150;
let asking = new AbortController();
let pause = 0;

form.addEventListener('input', () => {
  clearTimeout(pause);
  asking.abort();
  pause = setTimeout(show, PAUSE);
});

async function show() {
  asking = new AbortController();
  const { signal } = asking;
  const query = new URLSearchParams(new FormData(form));
  query.set('typing', '1');
  try {
    const answer = await fetch(`/search?${query}`, { signal });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    // Another letter came meanwhile.
    if (signal.aborted) return;
    for (const id of PARTS) document.getElementById(id).replaceChildren(...page.getElementById(id).childNodes);
  } catch (error) {
    // The form still leads to the results.
    if (!signal.aborted) console.debug(error);
  }
}
