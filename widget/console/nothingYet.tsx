// What a table without a row says first: a new site has none because its tag is not there yet, or does not work.
import { ChoiceLink, useFixed } from './choiceLink.tsx';

/** @param what There is none of: a sentence. */
export function NothingYet({ what, isNarrowed }: { what: string; isNarrowed: boolean }) {
  const isFixed = useFixed();
  if (isNarrowed || isFixed) return `${what} Choose a longer period or fewer filters.`;
  return (
    <>
      {what} Choose a longer period, or see <ChoiceLink change={{ view: 'setup' }}>whether your tag works</ChoiceLink>.
    </>
  );
}
