// Afterword's slots as a publisher would paste them: an element with attributes, nothing else.
import { html } from 'hono/html';
import type { LAYOUTS } from '../../server/contract/attributes.ts';
import type { SectionName } from '../articles/sections.ts';
import type { Html } from './layout.ts';

type ListLayout = (typeof LAYOUTS)[number];

/** The most-read list: of the whole paper, or of one section. */
export function topSlot(slot: {
  name?: string;
  heading: string;
  limit: number;
  days: number;
  layout: ListLayout;
  section?: SectionName;
  type?: 'videos';
  /** Shape of the pictures: wide by high. */
  image?: string;
}): Html {
  return html`<div data-afterword="top"${named(slot)} data-heading="${slot.heading}" data-limit="${slot.limit}" data-days="${slot.days}" data-layout="${slot.layout}"${slot.section ? html` data-section="${slot.section}"` : ''}${slot.type ? html` data-type="${slot.type}"` : ''}${slot.image ? html` data-image="${slot.image}"` : ''}></div>`;
}

/** What to read next: close to the page where the page is an article, to the reader's profile where it is not. */
export function relatedSlot(slot: { name?: string; heading: string; limit: number; layout: ListLayout }): Html {
  return html`<div data-afterword="related"${named(slot)} data-heading="${slot.heading}" data-limit="${slot.limit}" data-layout="${slot.layout}"></div>`;
}

const named = ({ name }: { name?: string }) => (name ? html` data-slot="${name}"` : '');
