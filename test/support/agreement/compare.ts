// One page of an answer against what was counted by hand. Plain assertions, because benchmarks compare, too.
import assert from 'node:assert/strict';
import type { Answer } from '../newsroom.ts';
import type { Question } from './trafficQuestions.ts';

export interface Page {
  /** Records of a page. Default: all there can be. */
  limit?: number;
  /** Default: the first. */
  page?: number;
}

const MOST = 2000;

/** Sums of fractions are compared as a whole: on a page, a thousandth may decide which record is on it. */
const isWhole = ({ paged, inThousandths }: Question): boolean => !paged || inThousandths === true;

/** The parameters of the request for a page. */
export function paramsOf(question: Question, { limit = MOST, page = 1 }: Page = {}): Question['params'] {
  const { params, paged } = question;
  if (!paged) return params;
  const whole = isWhole(question);
  return { ...params, limit: String(whole ? MOST : limit), page: String(whole ? 1 : page) };
}

/** @throws {AssertionError} where the body is not, to the last field, what was counted. */
export function assertAgreement({ links, ...body }: Answer, question: Question, { limit = MOST, page = 1 }: Page = {}) {
  const { records, meta, paged, totals, inThousandths } = question;
  if (records === undefined) {
    assert.deepEqual({ code: body.code, success: body.success }, { code: 422, success: false });
    return;
  }
  const whole = isWhole(question);
  const expected: Body = plain({
    data: whole ? records : records.slice((page - 1) * limit, page * limit),
    ...(meta && { meta }),
    ...(totals && { totals }),
    success: true,
  });
  if (inThousandths) assertInThousandths(body, expected);
  else assert.deepEqual(body, expected);
  if (paged)
    assert.equal(links.next !== null, !whole && records.length > page * limit && page * limit < MOST, 'links.next');
}

interface Body {
  data: object[];
}

/** As it comes out of JSON: without fields that are undefined. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** The same records with sums a thousandth apart at most, and in the order of the sums that are shown. */
function assertInThousandths(body: Body, expected: Body): void {
  const rounded = ({ data, ...rest }: Body) => ({
    ...rest,
    data: (data as Answer['data']).map(splitSum).sort(byRecord),
  });
  const [shown, counted] = [rounded(body), rounded(expected)];
  const bare = ({ data, ...rest }: typeof shown) => ({ ...rest, data: data.map(({ sum: _, ...record }) => record) });
  assert.deepEqual(bare(shown), bare(counted));
  shown.data.forEach(({ sum }, at) => {
    assert.ok(Math.abs(sum - counted.data[at]!.sum) < 0.0015, `${sum} is shown, ${counted.data[at]!.sum} was counted`);
  });
  const sums = (body.data as Answer['data']).map(({ metrics }) => metrics.conversions!);
  assert.deepEqual(
    sums,
    [...sums].sort((a, b) => b - a),
  );
}

function splitSum({ metrics: { conversions: sum = 0, ...metrics }, ...record }: Answer['data'][number]) {
  return { ...record, metrics, sum };
}

function byRecord(a: { url: string }, b: { url: string }): number {
  const [left, right] = [a, b].map(({ sum: _, ...record }: { url: string; sum?: number }) => JSON.stringify(record));
  return left! < right! ? -1 : 1;
}
