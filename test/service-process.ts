import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/observability/log.ts';
import { type App, createApp } from '../src/app.ts';
import { readConfiguration } from '../src/modules.ts';
import { type Environment, query, type Service, startService } from './processes.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Body = any;

export type ProcessResponse = { status: number; body: Body };

/** Carla has bought nothing yet. */
const CARLA = { phone: '+5511987650003', password: 'semana-demo-3' };
const TIMEOUT_MS = 20_000;
/** Jobs of a dead node are released after about ten seconds, and machines may be slow. */
const LONG_TIMEOUT_MS = 45_000;

/** The service as a process that can be killed at any time, and a client of it. */
export function openServiceProcess(databaseUrl: string, settings: Environment = {}) {
  let service: Service | undefined;
  let urls = { partnerUrl: '', staffUrl: '' };
  let app: App | undefined;
  let token = '';
  let refreshToken = '';

  const call = async (
    base: 'front' | 'staff',
    method: string,
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<ProcessResponse> => {
    const url = base === 'front' ? urls.partnerUrl : urls.staffUrl;
    const response = await fetch(url + path, {
      method,
      headers: {
        'x-api-key': base === 'front' ? 'sandbox-demo-key' : 'sandbox-operator-key',
        ...(base === 'front' && token && { 'x-token': token }),
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
    service: () => service!,

    async start(env: Environment = {}): Promise<void> {
      service = await startService({ DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent', ...settings, ...env });
      urls = service;
      await serviceProcess.logIn();
    },

    /** Another node, in this process: cheaper, where nothing is killed. */
    async startSecondNode(): Promise<void> {
      const ports = {
        PORT: '0',
        STAFF_PORT: '0',
        PSP_PORT: '0',
        WEB_PORT: 'off',
        OFFICE_PORT: 'off',
        HOST: '127.0.0.1',
      };
      const configuration = readConfiguration({ ...ports, ...settings });
      app = await createApp({ configuration, databaseUrl, clock: systemClock, log: createLog('silent') });
      urls = await app.start();
      await serviceProcess.logIn();
    },

    async stopSecondNode(): Promise<void> {
      await app!.stop();
    },

    /** Logs in with the password only if the session is over: hashing takes a third of a process's start. */
    async logIn(): Promise<void> {
      const refreshOptions = { body: { refresh_token: refreshToken } };
      token = '';
      refreshToken = '';
      const refreshed = refreshOptions.body.refresh_token
        ? await call('front', 'POST', '/wallet/auth/refresh', refreshOptions)
        : undefined;
      const apiResponse =
        refreshed?.status === 200
          ? refreshed
          : await call('front', 'POST', '/wallet/auth/login', { body: CARLA });
      assert.equal(apiResponse.status, 200, JSON.stringify(apiResponse.body));
      token = apiResponse.body.token;
      refreshToken = apiResponse.body.refresh_token;
    },

    /** SIGKILL. */
    async killProcess(): Promise<void> {
      service!.child.kill('SIGKILL');
      await service!.outcome;
    },

    async waitForKill(): Promise<void> {
      const ended = await Promise.race([service!.outcome, sleep(TIMEOUT_MS, undefined, { ref: false })]);
      assert.equal(ended?.signal, 'SIGKILL', 'it was to end itself, and did not');
    },

    async sell(order: Record<string, unknown>): Promise<Body> {
      const body = { customer: CARLA.phone, merchant: 'padaria-flor-do-trigo', ...order };
      const apiResponse = await call('staff', 'POST', '/admin/checkouts', { body });
      assert.equal(apiResponse.status, 201, JSON.stringify(apiResponse.body));
      return apiResponse.body;
    },

    requestCharge: (
      installmentId: string,
      body: unknown,
      headers: Record<string, string> = {},
    ): Promise<ProcessResponse> =>
      call('front', 'POST', `/wallet/installments/${installmentId}/pix`, { body, headers }),

    payCharge: (txid: string, body: unknown = {}): Promise<ProcessResponse> =>
      call('staff', 'POST', `/sandbox/pix/${txid}/pay`, { body }),

    async setPspFaults(setPspFaults: Record<string, unknown>): Promise<void> {
      assert.equal((await call('staff', 'PUT', '/sandbox/psp/faults', { body: setPspFaults })).status, 200);
    },

    async advanceClock(duration: string): Promise<void> {
      const apiResponse = await call('staff', 'POST', '/sandbox/clock', { body: { advance: duration } });
      assert.equal(apiResponse.status, 200, JSON.stringify(apiResponse.body));
      await serviceProcess.logIn();
    },

    queryRows: <R>(text: string): Promise<R[]> => query<R>(databaseUrl, text),

    async waitUntil(expectation: string, check: string): Promise<void> {
      for (const startedAtMs = Date.now(); Date.now() - startedAtMs < LONG_TIMEOUT_MS; ) {
        const [row] = await query<{ found: boolean }>(databaseUrl, `select (${check}) as found`);
        if (row!.found) return;
        await sleep(50);
      }
      throw new Error(`It did not come about: ${expectation}`);
    },

    /** Runs the jobs of every minute and every ten minutes now, and waits until they are done. */
    async reconcile(): Promise<void> {
      for (const task of ['pix_reconcile', 'pix_sweep', 'pix_sweep_refunds'])
        await query(databaseUrl, `select 1 from graphile_worker.add_job('${task}')`);
      // Jobs that a dead node still holds, and jobs replaced while running, are not waited for.
      await serviceProcess.waitUntil(
        'the jobs are done',
        `not exists (select 1 from graphile_worker.jobs where task_identifier like 'pix%'
           and locked_at is null and attempts < max_attempts and run_at <= now())`,
      );
    },
  };
  return serviceProcess;
}
