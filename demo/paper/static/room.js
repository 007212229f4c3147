// The reading room: articles are fetched and put in place of one another, without leaving the page.

const shelf = document.querySelector('.shelf');
const open = document.getElementById('open');
const canonical = document.querySelector('link[rel="canonical"]');
/** What the address asked for last: a slower answer to an earlier wish is not shown. */
let wanted = '';

const slugOf = (address) => /^\/room\/([\w-]+)$/.exec(new URL(address, location.href).pathname)?.[1];

addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href]');
  const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  const slug = link && link.origin === location.origin && slugOf(link.href);
  if (!slug || !plain) return;
  event.preventDefault();
  history.pushState(null, '', `/room/${slug}`);
  canonical.href = `/article/${slug}`;
  show(slug);
});
addEventListener('popstate', () => {
  const slug = slugOf(location.href);
  canonical.href = slug ? `/article/${slug}` : '/room';
  if (slug) show(slug);
});

async function show(slug) {
  wanted = slug;
  for (const link of shelf.querySelectorAll('a')) {
    if (slugOf(link.href) === slug) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  const response = await fetch(`/article/${slug}`);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const piece = page.querySelector('.piece');
  if (wanted !== slug) return;
  if (!response.ok || !piece) {
    open.textContent = 'This article could not be fetched. Try it again from the shelf.';
    return;
  }
  document.title = page.title;
  open.replaceChildren(document.adoptNode(piece));
  open.focus({ preventScroll: true });
  scrollTo({ top: 0 });
}

if (open.dataset.slug) show(open.dataset.slug);
