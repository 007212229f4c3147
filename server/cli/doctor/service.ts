// The service: does it run, and what does it say of itself.

import { type Finding, ok, problem, warning } from '../../checkup/finding.ts';
import type { StorageSettings } from '../../config.ts';
import type { ServerReport } from '../admin/report.ts';
import { CommandError } from '../commandError.ts';
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
      const serverUrl = (await status())?.url;
      return { findings: [examineServer(serverUrl), ...examineReport(report)], report, serverUrl };
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
