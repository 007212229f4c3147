// The schemas of records in the reference and the types of the wire have the same fields: the compiler compares them, so
// that a field that is added to one is added to the other.
import { expect, test } from 'vitest';
import type { z } from 'zod';
import type { HeadlineRecord } from '../../server/contract/alternatives.ts';
import type { AnnotationRecord } from '../../server/contract/annotations.ts';
import type { FrontierRecord } from '../../server/contract/frontier.ts';
import type { NowRecord } from '../../server/contract/now.ts';
import type { ReferrerRecord } from '../../server/contract/referrers.ts';
import type { SetUpRecord } from '../../server/contract/setUp.ts';
import type {
  GrowthRecord,
  IntervalRecord,
  PostRecord,
  RelatedRecord,
  SettingsRecord,
  StoredPostRecord,
  TopRecord,
} from '../../server/contract/wire.ts';
import { RECORDS } from '../../server/reference/recordSchemas.ts';

/**
 * Types of the wire by the names of their schemas. Records that only the server names have no type; what is made of
 * lists of names (`Experiment`, `RuleSet`), or says more (`ContentAudit`), the compiler cannot compare.
 */
interface Wire {
  Post: PostRecord;
  TopPost: TopRecord;
  Related: RelatedRecord;
  Referrer: ReferrerRecord;
  Interval: IntervalRecord;
  Now: NowRecord;
  SetUp: SetUpRecord;
  Headline: HeadlineRecord;
  Annotation: AnnotationRecord;
  Settings: SettingsRecord;
  Frontier: FrontierRecord;
  Growth: GrowthRecord;
  StoredPost: StoredPostRecord;
}

/** Fields and their types, whether or not they may be missing or be written to. */
type Fields<T> = T extends readonly (infer One)[]
  ? Fields<One>[]
  : T extends object
    ? { -readonly [Name in keyof T]-?: Fields<Exclude<T[Name], undefined>> }
    : T;

/** `true` for equal types, else what each of them has. */
type Same<One, Other> = [<T>() => T extends One ? 1 : 2] extends [<T>() => T extends Other ? 1 : 2]
  ? true
  : { schema: One; wire: Other };

const SAME: { [Name in keyof Wire]: Same<Fields<z.output<(typeof RECORDS)[Name]>>, Fields<Wire[Name]>> } = {
  Post: true,
  TopPost: true,
  Related: true,
  Referrer: true,
  Interval: true,
  Now: true,
  SetUp: true,
  Headline: true,
  Annotation: true,
  Settings: true,
  Frontier: true,
  Growth: true,
  StoredPost: true,
};

test('each record that the wire has a type of has a schema with the same fields', () => {
  for (const name of Object.keys(SAME)) expect(RECORDS).toHaveProperty(name);
});
