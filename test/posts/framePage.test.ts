// A page as it is shown in the preview: what is cut, what stays as it is written, and where a list stands.
import { describe, expect, test } from 'vitest';
import { framePage } from '../../server/posts/readPage/framePage.ts';

const URL = 'https://paper.example/news/story';
const frame = (html: string, kind: 'related' | 'top' = 'related') => {
  const { html: framed, places } = framePage(html, URL);
  const { at, is } = places[kind];
  return { framed: `${framed.slice(0, at)}LIST${framed.slice(at)}`, is };
};
const BASE = `<base href="${URL}" target="_blank">`;

describe('a list stands', () => {
  test.each([
    ['slot', '<article>A<div data-afterword="related"><p>Own</p></div>B</article>', '<article>ALISTB</article>'],
    ['slot', '<div data-afterword="related"></div><p>A</p><div data-afterword="related"></div>', `LIST<p>A</p>`],
    ['slot', '<p>A</p><afterword-related></afterword-related><p>B</p>', '<p>A</p>LIST<p>B</p>'],
    ['article', '<article>A</article><article>A longer one</article><p>B</p>', 'one</article>LIST<p>B</p>'],
    ['article', '<article>A<article>inner</article></article>B', '</article></article>LISTB'],
    ['article', '<article>A', '<article>ALIST'],
    ['main', '<main><p>A</p></main>B', '<p>A</p>LIST</main>B'],
    ['end', '<html><body><p>A</p></body></html>', '<p>A</p>LIST</body></html>'],
    ['end', '<p>A', '<p>ALIST'],
    ['end', '', 'LIST'],
  ] as const)('at the %s: %s', (place, html, expected) => {
    const { framed, is } = frame(html);
    expect(is).toBe(place);
    expect(framed.replace(BASE, '')).toContain(expected);
  });

  test('in the slot of its kind, and slots for others are gone', () => {
    const html = '<div data-afterword="top">T</div><script>1</script><p>A</p><div data-afterword="related">R</div>';
    expect(frame(html, 'top').framed).toBe(`${BASE}LIST<p>A</p>`);
    expect(frame(html, 'related').framed).toBe(`${BASE}<p>A</p>LIST`);
  });
});

describe('of a page is cut', () => {
  test.each([
    ['<script>alert(1)</script>', ''],
    ['<script src="/a.js"', ''],
    ['<script>alert(1)', ''],
    ['<p>A</p><img src="', '<p>A</p>'],
    ['<SCRIPT type=module>1</SCRIPT >', ''],
    ['<iframe srcdoc="x"></iframe><object data=x><embed src=x></object><embed src=x>A', 'A'],
    ['<svg><script>1</script><path d="M0" onload="x"/></svg>', '<svg><path d="M0"/></svg>'],
    ['<img src="a.png" onerror=\'alert("1")\' alt=\'a "b"\'>', '<img src="a.png" alt="a &quot;b&quot;">'],
    ['<p onclick=x class="a&amp;b">A</p>', '<p class="a&amp;b">A</p>'],
    ['<form action="https://evil.example"><button formaction=x>A</button></form>', '<form><button>A</button></form>'],
    [
      '<meta http-equiv="refresh" content="0;url=https://evil.example"><meta charset="latin1"><meta name="a">',
      '<meta name="a">',
    ],
    ['<link rel="preload" href="a"><link rel="Stylesheet" href="b.css">', '<link rel="Stylesheet" href="b.css">'],
  ])('%s', (html, expected) => {
    expect(framePage(html, URL).html).toBe(BASE + expected);
  });
});

test('all else stays as it is written', () => {
  const html =
    '<style>@import "a.css"; a > b { color: red }</style><!-- a --><p title=\'x\'>A &amp; B<br/>C &copy;<textarea><b></textarea>';
  expect(framePage(html, URL).html).toBe(BASE + html);
});

test('addresses are relative to the page, or to what it says, and the doctype stays first', () => {
  const of = (head: string) => framePage(`<!doctype html><html lang="en"><head>${head}</head>A`, URL).html;
  expect(of('<base href="/other/">')).toBe(
    '<!doctype html><html lang="en"><head><base href="https://paper.example/other/" target="_blank"></head>A',
  );
  expect(of('<base href="javascript:1&quot;">')).toContain('<base href="javascript:1');
  expect(framePage('<!doctype html><p>A', URL).html).toBe(`<!doctype html>${BASE}<p>A`);
});

test('a page nested without end is cut where that begins to cost, and so is what was not looked at', () => {
  const html = `${'<div>'.repeat(200_000)}<script>alert(1)</script>`;
  const framed = framePage(html, URL).html;
  expect(framed.length).toBeLessThan(100_000);
  expect(framed).not.toContain('script');
});
