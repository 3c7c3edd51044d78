import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Cpf } from '#core/cpf.ts';
import type { Log } from '#platform/observability/log.ts';
import type { DecisionsSettings } from './settings.ts';
import type { BureauReport } from './store.ts';

export type Bureau = {
  /** Undefined when the bureau is down, times out or sends a malformed answer. Never throws. Never called inside a transaction. */
  ask(cpf: Cpf): Promise<BureauReport | undefined>;
};

const Report = Type.Object({
  score: Type.Integer({ minimum: 0, maximum: 1_000 }),
  cpf_status: Type.String({ minLength: 1, maxLength: 40 }),
});

/** Asks over HTTP: docs/credit-decision.md has the call. `url` is known once the simulator of the sandbox listens. */
export const bureauAt = (url: () => string | null, settings: DecisionsSettings, log: Log): Bureau => ({
  async ask(cpf) {
    try {
      const report = await fetchReport(`${url()}/reports`, cpf, settings);
      return { score: report.score, cpfIrregular: report.cpf_status !== 'regular' };
    } catch (error) {
      // Without the cause: it may quote the request.
      log.warn({ reason: (error as Error).name }, 'the bureau gave no answer');
      return undefined;
    }
  },
});

async function fetchReport(
  url: string,
  cpf: Cpf,
  { bureauToken, bureauTimeoutMs }: DecisionsSettings,
): Promise<Static<typeof Report>> {
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
  if (!Value.Check(Report, report)) throw new Error('no report');
  return report;
}
