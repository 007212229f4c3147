// Says of a rule that no post has the section, tag or author it names: a section that was renamed leaves its rules
// behind, in force and without effect.
import { hiddenBy, NO_RULES, type RuleRecord } from '../../server/contract/rules.ts';
import { useAnswer } from './useAnswer.ts';

/** How a post has a name, by the filter of that name. */
const SAYS = { section: 'No post is in section', tag: 'No post has the tag', author: 'No post is by' } as const;
type By = keyof typeof SAYS;

export const WithoutPosts = ({ rule }: { rule: RuleRecord }) => (
  <>
    {namesOf(rule).map(([by, value]) => (
      <WithoutPost key={`${by} ${value}`} by={by} value={value} />
    ))}
  </>
);

function namesOf(rule: RuleRecord): [By, string][] {
  const { by = 'url', value = '' } = hiddenBy(rule) ?? {};
  return [
    ...(by === 'url' ? [] : [[by, value] as [By, string]]),
    ...(rule.on_section === undefined ? [] : [['section', rule.on_section] as [By, string]]),
    ...(rule.on_tag === undefined ? [] : [['tag', rule.on_tag] as [By, string]]),
  ];
}

function WithoutPost({ by, value }: { by: By; value: string }) {
  const { body } = useAnswer<{ data: object[] }>('/v2/related', [
    [by, value],
    ['limit', '1'],
    ['rules', NO_RULES],
  ]);
  if (body?.data.length !== 0) return null;
  return (
    <span class="trouble without-posts">
      {SAYS[by]} <bdi>{value}</bdi> now: the rule has no effect.
    </span>
  );
}
