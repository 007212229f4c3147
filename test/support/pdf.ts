// How many pages a PDF has, as Chromium and Firefox write it.
import { inflateSync } from 'node:zlib';

/** Pages are described by objects, which may stand in streams that are deflated. */
export function pagesOf(pdf: Buffer): number {
  const text = pdf.toString('latin1');
  const streams = [...text.matchAll(/\/Type \/ObjStm[\s\S]*?stream\r?\n([\s\S]*?)\r?\nendstream/g)];
  const objects = streams.map(([, deflated = '']) => inflateSync(Buffer.from(deflated, 'latin1')).toString('latin1'));
  return [text, ...objects].join('\n').match(/\/Type ?\/Page\b/g)?.length ?? 0;
}
