// The room part: gives room back that a list in the window does not need. It imports no code.

/**
 * Waits until no reader sees the page move: until the list leaves the window, or something else has moved the page.
 * @param slot With its list, or without one.
 * @param width Of the slot when its list was drawn, in CSS pixels: another one by now has moved the page.
 */
function releaseRoom(slot: HTMLElement, width: number): void {
  const free = (): void => {
    seen.disconnect();
    sized.disconnect();
    slot.style.minHeight = '';
  };
  const seen = new IntersectionObserver((entries) => {
    const { isIntersecting, boundingClientRect } = entries.at(-1)!;
    // Above the window the page would jump, where the browser does not scroll along.
    if (!isIntersecting && (boundingClientRect.top > 0 || CSS.supports('overflow-anchor:auto'))) free();
  });
  let calls = 0;
  // Called once at the beginning.
  const sized = new ResizeObserver(() => calls++ && free());
  seen.observe(slot);
  for (const element of [slot, slot.shadowRoot?.firstElementChild]) if (element) sized.observe(element);
  if (slot.offsetWidth !== width) free();
}

export { releaseRoom as run };
