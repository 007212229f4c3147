// Pages that are against the widget, knowingly or not: what stands on them before the script tag, beside it, and in its way.

export interface HostilePage {
  /** Before the script tag, in the body. Names the foreign host as EVIL. */
  before?: string;
  /** After the slot. */
  after?: string;
  /** Instead of the one plain slot. */
  slot?: string;
  /** On the script tag. */
  attributes?: string;
  /** File of the script, frozen versions as "pinned". Default: the loader. */
  file?: string;
  headers?: Record<string, string>;
  /** The slot's own children, where a list is impossible; either, where it is the browser's or Preact's to say. Default: the list. */
  shows?: 'list' | 'fallback' | 'either';
  /** False: that its view is counted is not for this page to say. */
  counts?: boolean;
}

export const OWN = '<a class="own" href="/archive">Archive</a>';
export const SLOT = `<div class="slot" data-afterword="top">${OWN}</div>`;
const slotWith = (attributes: string, tag = 'div'): string =>
  `<${tag} class="slot" data-afterword="top" ${attributes}>${OWN}</${tag}>`;

const LURE = 'src="EVIL/x.png" data-site="evil.example" data-server="EVIL/" data-transport="jsonp"';

/** What the widget, or Preact, or a reader of their sources, may look for in a document or a window by its name. */
const DOCUMENT_NAMES =
  'currentScript querySelector querySelectorAll hidden hasFocus referrer head body createElement addEventListener documentElement ' +
  'defaultView visibilityState prerendering readyState title URL location cookie forms __proto__ constructor getPrototypeOf afterword';
const BUILDING_NAMES = 'createElementNS createTextNode';
const WINDOW_NAMES =
  'afterword navigation trustedTypes PARSELY fetch navigator location history self document console Reflect ' +
  'IntersectionObserver MutationObserver URL addEventListener navigate afterword_host host';

const named = (names: string): string[] => names.split(' ');
const images = (names: string): string =>
  named(names)
    .map((name) => `<img name="${name}" ${LURE}>`)
    .join('');
const anchors = (names: string): string =>
  named(names)
    .map((name) => `<a id="${name}" href="EVIL/#x">x</a>`)
    .join('');
const forms = (names: string): string =>
  named(names)
    .map(
      (name) =>
        `<form name="${name}" id="${name}"><input name="src" value="EVIL/a.js"><input name="host"><input name="push">` +
        '<input name="call"><input name="append"><input name="dataset"><input name="splice"><input name="createPolicy">' +
        `<input name="addEventListener"><img name="currentScript" ${LURE}></form>`,
    )
    .join('');

const CURRENT_SCRIPT: Record<string, string> = {
  'an image': `<img name="currentScript" ${LURE}>`,
  'an embedded object': `<embed name="currentScript" ${LURE}>`,
  'an object': `<object id="currentScript" name="currentScript" data="EVIL/x.png" data-site="evil.example"></object>`,
  'a frame': `<iframe name="currentScript" ${LURE}></iframe>`,
  'two images': `<img name="currentScript" ${LURE}><img name="currentScript" ${LURE}>`,
  'a form with a field': `<form name="currentScript"><input name="src" value="EVIL/a.js"><input name="dataset"></form>`,
};

/** Elements that a sanitizer lets through: \`name\` and \`id\` alone. */
export const CLOBBERED: Record<string, HostilePage> = {};
for (const [what, before] of Object.entries(CURRENT_SCRIPT))
  for (const file of ['afterword.js', 'afterword.one.js', 'pinned', 'keys/example.com/p.js'])
    CLOBBERED[`${what} named currentScript, under ${file}`] = { before, file };
for (const [what, made] of Object.entries({ images, forms })) {
  CLOBBERED[`${what} of every name of the document`] = { before: made(DOCUMENT_NAMES) };
  CLOBBERED[`${what} of every name of the document, by JSON-P`] = {
    before: made(DOCUMENT_NAMES),
    attributes: 'data-transport="jsonp"',
  };
  CLOBBERED[`${what} named like what makes elements`] = { before: made(BUILDING_NAMES), shows: 'either' };
}
for (const [what, made] of Object.entries({ anchors, forms })) {
  for (const file of ['afterword.js', 'afterword.one.js', 'keys/example.com/p.js'])
    CLOBBERED[`${what} of every name of the window, under ${file}`] = { before: made(WINDOW_NAMES), file };
}
Object.assign(CLOBBERED, {
  'a heading’s anchor called afterword': { before: '<h2><a id="afterword" href="#afterword">Afterword</a></h2>' },
  'two elements called afterword': { before: '<p id="afterword"></p><a id="afterword" href="#x">x</a>' },
  'a frame called afterword': { before: '<iframe name="afterword" srcdoc="<p>x"></iframe>' },
  'a form called afterword with a field called host': {
    before: '<form id="afterword"><input name="host"><input name="push"></form>',
  },
  'names in a browser without the newer interfaces': {
    before: `<script>delete window.navigation; delete window.trustedTypes</script>${forms(WINDOW_NAMES)}`,
  },
  'names in such a browser, by JSON-P': {
    before: `<script>delete window.navigation; delete window.trustedTypes</script>${anchors(WINDOW_NAMES)}`,
    attributes: 'data-transport="jsonp"',
  },
} satisfies Record<string, HostilePage>);

const FIELDS = named(
  'dataset style children localName shadowRoot attachShadow clientWidth offsetParent querySelector remove closest afterword',
)
  .map((name) => `<input name="${name}">`)
  .join('');

export const SLOTS: Record<string, HostilePage> = {
  'a form that is a slot, with fields of its properties’ names': {
    slot: `<form data-afterword="top">${FIELDS}</form>${SLOT}`,
  },
  'a slot in such a form': { slot: `<form lang="en">${FIELDS}${SLOT}</form>` },
  'such a form in a slot': { slot: `<div class="slot" data-afterword="top"><form>${FIELDS}</form>${OWN}</div>` },
  'a slot that cannot hold a list': { slot: slotWith('', 'ul'), shows: 'fallback' },
  'a slot in a drawing': { slot: `<svg><g data-afterword="top"></g></svg>${SLOT}` },
  'millions of posts': { slot: slotWith('data-limit="5000000"') },
  'more posts than a number holds': { slot: slotWith('data-limit="99999999999"') },
  'no number of posts': { slot: slotWith('data-limit="5 x"') },
  'minus one post': { slot: slotWith('data-limit="-1"') },
  'a heading of no level': { slot: slotWith('data-heading-level="2 x"') },
  'a heading of level 7': { slot: slotWith('data-heading-level="7"') },
  'pictures like towers': { slot: slotWith('data-layout="grid" data-image="0.00001"') },
  'pictures of less than no width': { slot: slotWith('data-layout="row" data-image="-3"') },
  'a style for a shape': { slot: slotWith('data-image="1;position:fixed;inset:0;background:red"') },
  'a layout called constructor': { slot: slotWith('data-layout="constructor"') },
  'a layout called __proto__': { slot: slotWith('data-layout="__proto__"') },
  'a line of constructors': { slot: slotWith('data-meta="constructor __proto__ toString"') },
  'a type that leads elsewhere': { slot: slotWith('data-type="../../../EVIL/x"'), shows: 'either' },
};
