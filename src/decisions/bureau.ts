import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Cpf } from '#core/values/cpf.ts';
import type { Log } from '#platform/observability/log.ts';
import type { DecisionsSettings } from './settings.ts';
import type { BureauReport } from './store.ts';

export type Bureau = {
  /** Returns undefined if the bureau is down, times out or sends a malformed response. Never throws. Must not be called in a transaction. */
  requestReport(cpf: Cpf): Promise<BureauReport | undefined>;
};

const ReportResponse = Type.Object({
  score: Type.Integer({ minimum: 0, maximum: 1_000 }),
  cpf_status: Type.String({ minLength: 1, maxLength: 40 }),
});

/**
 * Creates a client of the HTTP API that docs/credit-decision.md describes. `getUrl` is a function, because the sandbox knows the URL of
 * its simulator only when the staff API listens. Until then the URL is null, and every request returns undefined.
 */
export const createBureauClient = (
  getUrl: () => string | null,
  settings: DecisionsSettings,
  log: Log,
): Bureau => ({
  async requestReport(cpf) {
    try {
      const url = getUrl();
      if (url === null) throw new Error('the simulator is not listening yet');
      const report = await postReportRequest(`${url}/reports`, cpf, settings);
      return { score: report.score, cpfIrregular: report.cpf_status !== 'regular' };
    } catch (error) {
      // The error itself is not logged, because it may contain the request.
      log.warn({ reason: (error as Error).name }, 'the credit bureau returned no report');
      return undefined;
    }
  },
});

async function postReportRequest(url: string, cpf: Cpf, { bureauToken, bureauTimeoutMs }: DecisionsSettings) {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    headers: {
      'content-type': 'application/json',
      ...(bureauToken !== null && { authorization: `Bearer ${bureauToken}` }),
    },
    body: JSON.stringify({ cpf }),
    signal: AbortSignal.timeout(bureauTimeoutMs),
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const report: unknown = await response.json();
  if (!Value.Check(ReportResponse, report)) throw new Error('malformed report');
  return report;
}
