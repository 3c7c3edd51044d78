import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/observability/log.ts';
import { type App, createApp } from '../src/app.ts';
import { readConfiguration } from '../src/modules.ts';
import { type Body, DEMO_KEY, FREE_PORTS } from './harness.ts';
import { type Environment, type ServiceProcess, startService } from './processes.ts';
import { CARLA, MERCHANT, OPERATOR_KEY } from './purchase-driver.ts';
import { query } from './query.ts';

export type ProcessResponse = { status: number; body: Body };

const TIMEOUT_MS = 20_000;
/** Jobs of a dead node are released after about ten seconds, and machines may be slow. */
const LONG_TIMEOUT_MS = 45_000;

/** Creates a service that runs in a process of its own, which can be killed at any time, and its calls as Carla and as the operator. */
export function openServiceProcess(databaseUrl: string, settings: Environment = {}) {
  let service: ServiceProcess | undefined;
  let urls = { partnerUrl: '', staffUrl: '' };
  let app: App | undefined;
  let token = '';
  let refreshToken = '';

  const call = async (
    api: 'partner' | 'staff',
    method: string,
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<ProcessResponse> => {
    const url = api === 'partner' ? urls.partnerUrl : urls.staffUrl;
    const response = await fetch(url + path, {
      method,
      headers: {
        'x-api-key': api === 'partner' ? DEMO_KEY : OPERATOR_KEY,
        ...(api === 'partner' && token && { 'x-token': token }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    return { status: response.status, body: text ? JSON.parse(text) : undefined };
  };

  const serviceProcess = {
    call,
    /** Returns the process that was started last. */
    service: () => service!,

    async start(env: Environment = {}): Promise<void> {
      service = await startService({ DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent', ...settings, ...env });
      urls = service;
      await serviceProcess.logIn();
    },

    /** Starts another node in this process, which is cheaper for tests that kill nothing. */
    async startSecondNode(): Promise<void> {
      const configuration = readConfiguration({ ...FREE_PORTS, ...settings });
      app = await createApp({ configuration, databaseUrl, clock: systemClock, log: createLog('silent') });
      urls = await app.start();
      await serviceProcess.logIn();
    },

    async stopSecondNode(): Promise<void> {
      await app!.stop();
    },

    /** Refreshes Carla's session, or logs in with the password if it has ended: hashing takes a third of the time of a start. */
    async logIn(): Promise<void> {
      const body = { refresh_token: refreshToken };
      token = '';
      refreshToken = '';
      let response = body.refresh_token
        ? await call('partner', 'POST', '/wallet/auth/refresh', { body })
        : undefined;
      if (response?.status !== 200)
        response = await call('partner', 'POST', '/wallet/auth/login', { body: CARLA });
      assert.equal(response.status, 200, JSON.stringify(response.body));
      token = response.body.token;
      refreshToken = response.body.refresh_token;
    },

    async killProcess(): Promise<void> {
      service!.child.kill('SIGKILL');
      await service!.outcome;
    },

    /** Waits until the process has killed itself at a failpoint. */
    async waitForKill(): Promise<void> {
      const outcome = await Promise.race([service!.outcome, sleep(TIMEOUT_MS, undefined, { ref: false })]);
      assert.equal(outcome?.signal, 'SIGKILL', 'the process did not kill itself');
    },

    async sell(order: Record<string, unknown>): Promise<Body> {
      const body = { customer: CARLA.phone, merchant: MERCHANT, ...order };
      const response = await call('staff', 'POST', '/admin/checkouts', { body });
      assert.equal(response.status, 201, JSON.stringify(response.body));
      return response.body;
    },

    requestCharge: (
      installmentId: string,
      body: unknown,
      headers: Record<string, string> = {},
    ): Promise<ProcessResponse> =>
      call('partner', 'POST', `/wallet/installments/${installmentId}/pix`, { body, headers }),

    payCharge: (txid: string, body: unknown = {}): Promise<ProcessResponse> =>
      call('staff', 'POST', `/sandbox/pix/${txid}/pay`, { body }),

    async setPspFaults(faults: Record<string, unknown>): Promise<void> {
      assert.equal((await call('staff', 'PUT', '/sandbox/psp/faults', { body: faults })).status, 200);
    },

    async advanceClock(duration: string): Promise<void> {
      const response = await call('staff', 'POST', '/sandbox/clock', { body: { advance: duration } });
      assert.equal(response.status, 200, JSON.stringify(response.body));
      await serviceProcess.logIn();
    },

    queryRows: <R>(text: string): Promise<R[]> => query<R>(databaseUrl, text),

    /** Waits until a condition in SQL is true. */
    async waitUntil(expectation: string, condition: string): Promise<void> {
      const deadlineMs = Date.now() + LONG_TIMEOUT_MS;
      while (Date.now() < deadlineMs) {
        const [row] = await query<{ is_met: boolean }>(databaseUrl, `select (${condition}) as is_met`);
        if (row!.is_met) return;
        await sleep(50);
      }
      throw new Error(`This did not happen in time: ${expectation}`);
    },

    /** Runs the jobs of every minute and every ten minutes now, and waits until they are done. */
    async reconcile(): Promise<void> {
      for (const task of ['pix_reconcile', 'pix_sweep', 'pix_sweep_refunds'])
        await query(databaseUrl, `select 1 from graphile_worker.add_job('${task}')`);
      // Does not wait for jobs that a dead node still holds, or that were replaced while running.
      await serviceProcess.waitUntil(
        'the jobs are done',
        `not exists (select 1 from graphile_worker.jobs where task_identifier like 'pix%'
           and locked_at is null and attempts < max_attempts and run_at <= now())`,
      );
    },
  };
  return serviceProcess;
}
