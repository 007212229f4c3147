// What the lists on a site's pages brought, for its editors.
import { endpoint } from '../http/endpoint.ts';
import { listQuestionParams, toListsQuestion } from '../http/listQuestion.ts';
import { listOf } from '../http/lists.ts';
import { urlsOf } from '../http/postTraffic.ts';
import { figuresShown, rankLists } from '../rankings/listFigures.ts';
import { IN_OWN_ORDER } from '../traffic/ledger/question.ts';

export const lists = endpoint({
  summary:
    'What the lists on pages brought: lists shown, items seen, clicks, and the page views and engaged minutes that followed. Reports of pages are kept for 90 days: figures by page or hour, and what followed a click, reach back as far.',
  record: 'ListFigures',
  params: listQuestionParams,
  async answer(ask, deps) {
    const excluded = await deps.exclusions.of(ask.site.id);
    const question = toListsQuestion(ask.params, { ...ask, ...(await urlsOf(deps, ask)), excluded });
    const { group, scope } = question;
    return listOf(deps, ask, {
      page: await rankLists(deps.store.traffic, question),
      metrics: figuresShown(question),
      sort: question.sort ?? (IN_OWN_ORDER.includes(group) ? 'name' : 'clicks'),
      period: scope.period,
      toRecord: ({ name, title, metrics }) => ({ group, name, title, metrics }),
    });
  },
});
