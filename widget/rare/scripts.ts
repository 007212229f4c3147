// Default headings in languages of other scripts than the Latin one.
export { OTHERS } from '../../server/contract/scripts.ts';
