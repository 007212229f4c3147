// What becomes of the answer of `npm audit`: findings fail `npm run check`, a registry that keeps none does not.
import { expect, test } from 'vitest';
import { judge } from './audit.ts';

const found = (severity: string) =>
  JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: { 'left-pad': { name: 'left-pad', severity } },
    metadata: { dependencies: { prod: 90 } },
  });

test('a grave finding fails and is named', () => {
  expect(judge(found('high'))).toMatchObject({ passes: false, sentence: expect.stringContaining('left-pad (high)') });
  expect(judge(found('critical')).passes).toBe(false);
});

test('lesser findings and none pass', () => {
  expect(judge(found('moderate'))).toMatchObject({ passes: true, sentence: expect.stringContaining('1 lesser') });
  expect(judge('{"vulnerabilities":{},"metadata":{"dependencies":{"prod":90}}}')).toEqual({
    passes: true,
    sentence: 'Nothing grave is known of 90 packages; 0 lesser findings.',
  });
});

test('a registry without audits is said plainly', () => {
  const message = '405 Method Not Allowed - POST https://registry.example/-/npm/v1/security/advisories/bulk';
  expect(judge(JSON.stringify({ message, statusCode: 405, body: '' }))).toEqual({
    passes: true,
    sentence: `The registry offers no audits, so nothing was checked: ${message}.`,
  });
});

test('no network is said plainly, anything else fails', () => {
  const message = 'request to https://registry.example/ failed, reason: connect ECONNREFUSED 127.0.0.1:9';
  expect(judge(JSON.stringify({ message }))).toMatchObject({
    passes: true,
    sentence: expect.stringContaining('No registry answers'),
  });
  expect(judge('{"error":{"code":"ENOLOCK","summary":"This command requires an existing lockfile."}}').passes).toBe(
    false,
  );
  expect(judge('')).toEqual({ passes: false, sentence: 'npm audit did not work: it said nothing.' });
});
