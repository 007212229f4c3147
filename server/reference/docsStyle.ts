// Style of the reference page: operations on the right, navigation on the left, one column on a phone.
export const DOCS_STYLE = `
:root { color-scheme: light dark; --ground: light-dark(#f6f6f4, #17191d); --sheet: light-dark(#fff, #1f2227); --ink: light-dark(#17191d, #e9eaed); --line: color-mix(in srgb, currentColor 16%, transparent); --soft: color-mix(in srgb, currentColor 68%, transparent); --strong: light-dark(#1f4fbf, #8fb4ff); }
html { scroll-padding-top: 1rem; }
body { background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; margin: 0; }
.page { display: grid; gap: 0 3rem; grid-template-columns: minmax(0, 1fr); margin: 0 auto; max-width: 80rem; padding: 2rem 1.25rem 6rem; }
header { grid-column: 1 / -1; } header p { color: var(--soft); margin: 0; max-width: 46rem; }
h1 { font-size: 1.75rem; letter-spacing: -.01em; margin: 0 0 .4rem; }
h2 { font-size: 1.35rem; margin: 3rem 0 1rem; } h2::first-letter { text-transform: uppercase; }
h3 { font-size: 1rem; font-weight: 600; margin: 0; overflow-wrap: anywhere; }
a { color: var(--strong); } code, pre { font: .9em/1.5 ui-monospace, monospace; }
small { border: 1px solid var(--line); border-radius: .3rem; color: var(--soft); font: 600 .72rem/1 ui-monospace, monospace; margin-inline-end: .6ch; padding: .2em .45em; vertical-align: .12em; }
article { background: var(--sheet); border: 1px solid var(--line); border-radius: .6rem; margin: 0 0 1rem; padding: 1rem 1.1rem 1.1rem; }
dl { display: grid; gap: .6rem 1.5rem; grid-template-columns: minmax(0, 1fr); margin: 0; } dt { font-weight: 600; } dd { margin: 0; }
@media (min-width: 40rem) { dl { grid-template-columns: 9rem minmax(0, 1fr); } }
article p { margin: .4rem 0 0; } .guard { color: var(--soft); font-size: .9rem; }
pre { background: var(--ground); border: 1px solid var(--line); border-radius: .4rem; margin: .9rem 0 0; overflow-wrap: anywhere; padding: .6rem .8rem; white-space: pre-wrap; }
nav { font-size: .85rem; } nav a { color: inherit; display: block; overflow-wrap: anywhere; padding: .12rem 0; text-decoration: none; } nav a:hover { text-decoration: underline; }
nav h2 { color: var(--soft); font-size: .8rem; margin: 1.2rem 0 .2rem; }
.scroll { margin-top: .9rem; overflow-x: auto; } table { border-collapse: collapse; font-size: .9rem; min-width: 34rem; table-layout: fixed; width: 100%; } th:first-child { width: 24%; } th { color: var(--soft); font-weight: 600; }
td { overflow-wrap: anywhere; } td, th { border-bottom: 1px solid var(--line); padding: .35rem .75rem .35rem 0; text-align: start; vertical-align: top; } tbody tr:last-child td { border-bottom: 0; }
@media (min-width: 62rem) { .page { grid-template-columns: 16rem minmax(0, 1fr); } nav { align-self: start; max-height: calc(100vh - 2rem); overflow-y: auto; position: sticky; scrollbar-width: thin; top: 1rem; } main > section:first-child h2 { margin-top: 1.2rem; } }
/* Three columns have no room on a phone: name and type stand above the meaning. */
@media (max-width: 39.99rem) { table { min-width: 0; } thead { display: none; } table, tbody { display: block; } tr { border-bottom: 1px solid var(--line); display: grid; gap: 0 .75rem; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); padding: .4rem 0; } tbody tr:last-child { border: 0; } td { border: 0; padding: 0; } td:last-child { grid-column: 1 / -1; } td:nth-child(2) { color: var(--soft); } }
@media (max-width: 61.99rem) { nav { columns: 14rem; margin-top: 1rem; } nav section { break-inside: avoid; } }`;
