// Shows what Afterword knows of this reader, asked through the public interface as anybody could.

const page = document.getElementById('behind');
const { afterwordOrigin, siteId } = page.dataset;
/** How the picks stood when the reader looked last, in this tab. */
const LAST_LOOK = 'lantern-picks';
const PATIENCE_MS = 3000;

const titles = await (await fetch('/titles.json')).json();
const visitor = await readVisitor();
document.getElementById('visitor').textContent =
  visitor ?? 'none: this browser asked not to be known, or refuses storage';
if (visitor) offerToForget();
await Promise.all([showHistory(), showPicks(), showTop()]);

/** The id the widget keeps in this origin's own storage; undefined where it keeps none. */
async function readVisitor() {
  const giveUp = performance.now() + PATIENCE_MS;
  while (performance.now() < giveUp) {
    const id = await lookUpVisitor();
    if (id) return id;
    await new Promise((done) => setTimeout(done, 100));
  }
  return undefined;
}

/** Looks only into a database that is there: opening one that is not would make it. */
async function lookUpVisitor() {
  const known = await indexedDB.databases();
  if (!known.some(({ name }) => name === 'afterword')) return undefined;
  return inStorage('readonly', (store) => store.get('visitor'));
}

/** Without its id a reader is a new one, and nothing leads back to the old profile, which ends by itself. */
function offerToForget() {
  const button = document.getElementById('forget');
  button.hidden = false;
  button.addEventListener('click', async () => {
    await inStorage('readwrite', (store) => store.delete('visitor'));
    sessionStorage.removeItem(LAST_LOOK);
    location.reload();
  });
}

async function inStorage(mode, work) {
  const database = await settled(indexedDB.open('afterword'));
  try {
    return await settled(work(database.transaction('keyval', mode).objectStore('keyval')));
  } finally {
    database.close();
  }
}

function settled(request) {
  return new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
}

async function ask(path, params) {
  const query = new URLSearchParams({ apikey: siteId, ...params });
  const answer = await (await fetch(`${afterwordOrigin}/v2/${path}?${query}`)).json();
  if (!answer.success) throw new Error(answer.message);
  return answer.data;
}

async function showHistory() {
  const urls = visitor ? (await ask('history', { uuid: visitor })).urls : [];
  list(
    'history',
    urls.map((url) => ({ url, title: titleOf(url) })),
    'Nothing yet. Open an article and come back.',
  );
}

async function showPicks() {
  const posts = await ask('related', { limit: 10, ...(visitor ? { uuid: visitor } : {}) });
  const before = JSON.parse(sessionStorage.getItem(LAST_LOOK) ?? 'null');
  list(
    'picks',
    posts.map((post, rank) => ({ ...post, move: before ? moveOf(before.indexOf(post.url), rank) : '' })),
    'No picks yet.',
  );
  sessionStorage.setItem(LAST_LOOK, JSON.stringify(posts.map(({ url }) => url)));
}

async function showTop() {
  list('top', await ask('top/posts', { limit: 10 }), 'Nobody has read anything yet.');
}

/** Where a pick stood when the reader looked last, against where it stands now. */
function moveOf(before, now) {
  if (before === -1) return 'new';
  if (before === now) return '';
  return before > now ? `▲ ${before - now}` : `▼ ${now - before}`;
}

function titleOf(url) {
  const { pathname } = new URL(url);
  const name = decodeURIComponent(pathname.split('/').at(-1));
  if (pathname === '/') return 'The front page';
  if (pathname.startsWith('/section/')) return `The ${name} section`;
  return titles[name] ?? pathname;
}

function list(id, items, nothing) {
  const place = document.getElementById(id);
  place.replaceChildren(...items.map(entry));
  if (items.length === 0) place.replaceWith(Object.assign(document.createElement('p'), { textContent: nothing }));
}

function entry({ url, title, move }) {
  const item = document.createElement('li');
  const link = Object.assign(document.createElement('a'), { textContent: title });
  if (/^https?:/.test(url)) link.href = url;
  item.append(link);
  if (move) item.append(' ', Object.assign(document.createElement('span'), { className: 'move', textContent: move }));
  return item;
}
