// What the claims of an account open, by the grants that are configured.
import { describe, expect, test } from 'vitest';
import {
  type Access,
  type Claims,
  isGranted,
  matching,
  openingOf,
  toGrants,
} from '../../server/console/oidc/grants.ts';
import type { Site } from '../../server/sites/site.ts';

const PROVIDER = { issuer: 'https://id.example/', clientId: 'afterword' };
const grantsOf = (...accesses: Access[]) => toGrants(PROVIDER, accesses);
const SITES = ['a.example', 'b.example', 'c.example'].map((id) => ({ id }) as Site);

const group = (value: string, role: Access['role'], site: string): Access => ({ claim: 'groups', value, role, site });

describe('a claim matches', () => {
  const cases: [what: string, claim: string, value: string, claims: Claims, expected: boolean][] = [
    ['a text that is the value', 'team', 'news', { team: 'news' }, true],
    ['a list that has the value', 'groups', 'news', { groups: ['sport', 'news'] }, true],
    ['no other text', 'team', 'news', { team: 'newsroom' }, false],
    ['no text in other letters', 'team', 'news', { team: 'News' }, false],
    ['no part of a text', 'team', 'news', { team: 'news,sport' }, false],
    ['no claim that is missing', 'team', 'news', {}, false],
    ['no number, object or list within a list', 'team', '7', { team: 7 }, false],
    ['no nested list', 'team', 'news', { team: [['news']] }, false],
    ['nothing inherited', 'constructor', 'news', {}, false],
    ['a verified address', 'email', 'ann@a.example', { email: 'ann@a.example', email_verified: true }, true],
    ['it in other letters', 'email', 'Ann@a.example', { email: 'ann@A.example', email_verified: true }, true],
    [
      'no address that is not verified',
      'email',
      'ann@a.example',
      { email: 'ann@a.example', email_verified: false },
      false,
    ],
    ['none of which that is unknown', 'email', 'ann@a.example', { email: 'ann@a.example' }, false],
    [
      'none that is verified by a text',
      'email',
      'ann@a.example',
      { email: 'ann@a.example', email_verified: 'true' },
      false,
    ],
    ['an address of the domain', 'email', '*@a.example', { email: 'Bob@A.example', email_verified: true }, true],
    ['none of a domain below', 'email', '*@a.example', { email: 'bob@mail.a.example', email_verified: true }, false],
    [
      'none of a domain that ends alike',
      'email',
      '*@a.example',
      { email: 'bob@evil-a.example', email_verified: true },
      false,
    ],
    [
      'none with two signs',
      'email',
      '*@a.example',
      { email: 'bob@evil.example@a.example', email_verified: true },
      false,
    ],
    ['none that is not verified', 'email', '*@a.example', { email: 'bob@a.example' }, false],
    [
      'none with a sign that becomes a letter',
      'email',
      'karl@a.example',
      { email: '\u212Aarl@a.example', email_verified: true },
      false,
    ],
    ['no list of addresses', 'email', 'bob@a.example', { email: ['bob@a.example'], email_verified: true }, false],
  ];
  test.each(cases)('%s', (_, claim, value, claims, expected) => {
    const grants = grantsOf({ claim, value, role: 'read', site: 'a.example' });
    expect(matching(claims, grants)).toEqual(expected ? grants : []);
  });
});

describe('grants open', () => {
  const cases: [what: string, held: Access[], asked: string | undefined, expected: unknown][] = [
    ['the only site', [group('x', 'read', 'a.example')], undefined, ['read', 'a.example']],
    [
      'with the stronger role',
      [group('x', 'read', 'a.example'), group('y', 'act', 'a.example')],
      undefined,
      ['act', 'a.example'],
    ],
    [
      'and by that for all sites',
      [group('x', 'read', 'a.example'), group('y', 'act', '*')],
      'a.example',
      ['act', 'a.example'],
    ],
    [
      'but no stronger role of another site',
      [group('x', 'read', 'a.example'), group('y', 'act', 'b.example')],
      'a.example',
      ['read', 'a.example'],
    ],
    [
      'one of several sites',
      [group('x', 'read', 'a.example'), group('y', 'act', 'c.example')],
      undefined,
      ['a.example', 'c.example'],
    ],
    ['one of all sites', [group('x', 'read', '*')], undefined, ['a.example', 'b.example', 'c.example']],
    ['the one that is asked', [group('x', 'read', '*')], 'b.example', ['read', 'b.example']],
    ['no other that is asked', [group('x', 'read', 'a.example')], 'b.example', ['a.example']],
    ['none that does not exist', [group('x', 'act', '*')], 'none.example', ['a.example', 'b.example', 'c.example']],
    ['nothing where its site does not exist', [group('x', 'act', 'none.example')], undefined, []],
    ['nothing without grants', [], undefined, []],
    ['the server', [group('x', 'act', 'a.example'), group('y', 'operator', '*')], undefined, ['operator', undefined]],
    [
      'and a site of it',
      [group('x', 'read', 'a.example'), group('y', 'operator', '*')],
      'b.example',
      ['operator', 'b.example'],
    ],
  ];
  test.each(cases)('%s', (_, held, asked, expected) => {
    const opening = openingOf(grantsOf(...held), { sites: SITES, asked });
    expect(opening.role === undefined ? opening.sites.map(({ id }) => id) : [opening.role, opening.site?.id]).toEqual(
      expected,
    );
  });
});

describe('a hash stands for', () => {
  const access = group('news', 'act', 'a.example');
  const [grant] = grantsOf(access);

  test.each<[string, Partial<Access>, Partial<typeof PROVIDER>]>([
    ['the claim', { claim: 'teams' }, {}],
    ['the value', { value: 'sport' }, {}],
    ['the role', { role: 'read' }, {}],
    ['the site', { site: '*' }, {}],
    ['the issuer', {}, { issuer: 'https://other.example/' }],
    ['the client', {}, { clientId: 'other' }],
  ])('%s', (_, change, provider) => {
    const [other] = toGrants({ ...PROVIDER, ...provider }, [{ ...access, ...change }]);
    expect(other!.hash).not.toBe(grant!.hash);
  });

  test('the same after a restart, and opens its own role and site alone', () => {
    expect(grantsOf(group('x', 'read', '*'), access)[1]!.hash).toBe(grant!.hash);
    const opens = (roles: Access['role'][], site: string) => isGranted([grant!], { hash: grant!.hash, roles, site });
    expect([opens(['act'], 'a.example'), opens(['act'], 'b.example'), opens(['act'], '')]).toEqual([
      true,
      false,
      false,
    ]);
    expect([opens(['read'], 'a.example'), opens(['operator'], '')]).toEqual([false, false]);
    expect(isGranted([grant!], { hash: '', roles: ['act'], site: 'a.example' })).toBe(false);
  });
});
