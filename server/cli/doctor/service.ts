// The service: does it run, and what does it say of itself.

import { type Finding, ok, problem, warning } from '../../checkup/finding.ts';
import type { StorageSettings } from '../../config.ts';
import type { ServerReport } from '../admin/report.ts';
import { CommandError } from '../commandError.ts';
import { fetchFailure } from '../fetchFailure.ts';
import type { Readiness } from '../health.ts';
import { withReach } from '../reach.ts';
import { examineReport } from './report.ts';

export interface Service {
  findings: Finding[];
  report: ServerReport | undefined;
  serverUrl: string | undefined;
}

/** @param checksums Reads the whole database. */
export async function examineService(settings: StorageSettings, checksums: boolean): Promise<Service> {
  try {
    return await withReach(settings, async ({ ask, status }) => {
      const report = await ask<ServerReport>('GET', `/report${checksums ? '?checksums' : ''}`);
      const { url: serverUrl, address } = (await status()) ?? {};
      const server = [examineServer(serverUrl), ...(await examineReadiness(address))];
      return { findings: [...server, ...examineReport(report)], report, serverUrl };
    });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return {
      findings: [problem('database', error.message, 'Nothing can be served before this is solved.')],
      report: undefined,
      serverUrl: undefined,
    };
  }
}

function examineServer(serverUrl: string | undefined): Finding {
  if (serverUrl === undefined) return warning('server', 'No server runs on this data.', 'afterword serve');
  return ok('server', `Runs at ${serverUrl}.`);
}

const PATIENCE_MS = 5_000;

/** @returns Nothing where the server takes events: what else it lacks is found elsewhere. */
async function examineReadiness(address: string | undefined): Promise<Finding[]> {
  if (address === undefined) return [];
  const asked = `${address}/readyz`;
  try {
    const response = await fetch(asked, { signal: AbortSignal.timeout(PATIENCE_MS) });
    const { events, problems } = (await response.json()) as Readiness;
    if (events !== 'refused') return [];
    return [problem('server', `Events are refused. ${problems.join(' ')}`, 'Senders repeat them until it is solved.')];
  } catch (error) {
    return [problem('server', `${asked} does not answer: ${fetchFailure(error)}.`, "The server's log may say why.")];
  }
}
