// Quotas of sites, and how much of them is used.
import { Gauge, type Registry } from 'prom-client';
import type { Quotas } from '../sites/quotas.ts';

/** Sites named, the fullest first: each is two series a quota. */
const MOST = 500;

export function watchQuotas(registry: Registry, quotas: Pick<Quotas, 'uses'>): void {
  const fullest = () =>
    quotas
      .uses()
      .flatMap((use) => (use.used === undefined ? [] : [{ ...use, used: use.used }]))
      .sort((a, b) => b.used / b.limit - a.used / a.limit)
      .slice(0, MOST);

  function gauge(name: string, help: string, value: (use: { used: number; limit: number }) => number): void {
    new Gauge({
      name,
      help,
      labelNames: ['site', 'quota'],
      registers: [registry],
      collect() {
        this.reset();
        for (const use of fullest()) this.set({ site: use.site, quota: use.quota }, value(use));
      },
    });
  }

  gauge(
    'afterword_site_quota_used',
    'Of each quota that a site has: events of its day, posts, or bytes on the disk (by the copy that removes old events). Counted by this copy, with what the others have stored.',
    ({ used }) => used,
  );
  gauge('afterword_site_quota_limit', 'The quotas themselves.', ({ limit }) => limit);
}
