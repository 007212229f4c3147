// Secrets: their shape, and who passes.
import { describe, expect, test } from 'vitest';
import { createReadSecret, createWriteSecret, hashSecret, verifySecret } from '../../server/sites/secrets.ts';

describe('secrets', () => {
  test('a write secret has exactly ten letters and digits, whatever chance gives', () => {
    for (let i = 0; i < 500; i++) expect(createWriteSecret()).toMatch(/^[A-Za-z0-9]{10}$/);
  });

  test('a read secret is long and never the same twice', () => {
    const made = new Set(Array.from({ length: 500 }, createReadSecret));
    expect(made.size).toBe(500);
    for (const secret of made) expect(secret).toMatch(/^[A-Za-z0-9]{43}$/);
  });

  test('what is stored does not contain the secret', () => {
    const secret = createReadSecret();
    expect(hashSecret(secret)).toMatch(/^[0-9a-f]{64}$/);
    expect(hashSecret(secret)).not.toContain(secret);
  });

  const hash = hashSecret('right');
  test.each([
    ['the right secret', 'right', hash, true],
    ['another secret', 'wrong', hash, false],
    ['another case', 'Right', hash, false],
    ['blanks around it', ' right', hash, false],
    ['nothing', undefined, hash, false],
    ['an empty secret', '', hash, false],
    ['an empty secret whose hash is stored', '', hashSecret(''), false],
    ['the hash itself', hash, hash, false],
    ['any secret of an unknown site', 'right', undefined, false],
    ['a damaged hash', 'right', 'not hex', false],
  ])('%s: passes is %4$s', (_, given, stored, passes) => {
    expect(verifySecret(given, stored)).toBe(passes);
  });
});
