// Several lists on a page: landmarks are told apart by their names, so further ones of a name are numbered.
import type { Look } from '../ui/root.tsx';

const nameOf = ({ dataset: { label, heading, afterword } }: HTMLElement): unknown => label || (heading ?? afterword);

export function dress(look: Look, root: Element | ShadowRoot): string {
  const slot = ((root as ShadowRoot).host ?? root.parentElement) as HTMLElement;
  const index = [...document.querySelectorAll<HTMLElement>('[data-afterword]')]
    .filter((other) => nameOf(other) === nameOf(slot))
    .indexOf(slot);
  if (index > 0) look['label-number'] = ` ${index + 1}`;
  return '';
}
