// The paper's mark, a lantern: beside its name and in the browser's tab.

const LANTERN =
  '<path d="M9 7.2a3 3 0 0 1 6 0M7.5 8.4h9M8.3 9.9 7 19.2h10L15.700 9.900ZM6.400 20.800h11.200" fill="none" stroke="currentColor" stroke-width="1.3" stroke-linejoin="round" stroke-linecap="round"/>' +
  '<path d="M12 12.100c1.500 1.500 2 2.500 2 3.500a2 2 0 0 1-4 0c0-1 .5-2 2-3.500Z" fill="#d9822b"/>';

export const MARK = `<svg class="mark" viewBox="0 2 24 20" width="34" height="28" aria-hidden="true" focusable="false">${LANTERN}</svg>`;

export const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 1 24 24" color="#8a7f6d">${LANTERN}</svg>`;
