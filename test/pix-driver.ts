import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type Sql, sql } from '#platform/database/db.ts';
import type { TaskName } from '#platform/jobs/jobs.ts';
import { SANDBOX_PIX } from '../src/pix/settings.ts';
import { insertCharge } from '../src/sandbox/psp/store/charges.ts';
import {
  type ApiResponse,
  type Body,
  type CallOptions,
  enqueueTask,
  eventually,
  type Node,
  type SharedService,
} from './harness.ts';
import { createPurchaseDriver, type TestCustomer } from './purchase-driver.ts';

import { logIn, OPERATOR_KEY } from './support/customers.ts';

export const CALLBACK_SECRET = SANDBOX_PIX.callbackSecret;

export type PixDriver = ReturnType<typeof createPixDriver>;

/** Extends {@link createPurchaseDriver}: customers request Pix charges and pay them at the simulator of the PSP. */
export function createPixDriver(service: SharedService) {
  const driver = createPurchaseDriver(service);
  const callStaff = async (method: string, path: string, body?: unknown): Promise<ApiResponse> =>
    service.staff(method, path, { key: OPERATOR_KEY, ...(body !== undefined && { body }) });

  const pixDriver = {
    ...driver,
    callStaff,
    logIn: (customer: Pick<TestCustomer, 'phone' | 'password'>) => logIn(service, customer),

    async requestCharge(
      customer: TestCustomer,
      installmentId: string,
      body: unknown,
      options: CallOptions & { node?: Node } = {},
    ): Promise<ApiResponse> {
      const { node = service, ...otherOptions } = options;
      const token = await driver.createToken(customer);
      return node.post(`/wallet/installments/${installmentId}/pix`, body, { token, ...otherOptions });
    },

    /** Requests a charge, and asserts that it was created or exists. */
    async createCharge(
      customer: TestCustomer,
      installmentId: string,
      type: string,
      value?: number,
    ): Promise<Body> {
      const response = await pixDriver.requestCharge(customer, installmentId, {
        type,
        ...(value !== undefined && { value }),
      });
      assert.ok(response.status === 200 || response.status === 201, response.text);
      return response.body;
    },

    async getCharge(customer: TestCustomer, pixId: string): Promise<Body> {
      const response = await service.get(`/wallet/pix/${pixId}`, {
        token: await driver.createToken(customer),
      });
      assert.equal(response.status, 200, response.text);
      return response.body;
    },

    /** Pays a charge at the simulator, as the payer's bank does. */
    async payCharge(
      txid: string,
      payment: { value?: number; at?: string; force?: boolean } = {},
    ): Promise<Body> {
      const response = await callStaff('POST', `/sandbox/pix/${txid}/pay`, payment);
      assert.equal(response.status, 201, response.text);
      return response.body;
    },

    /** Charges back the payment of a charge, or a part of it, as the payer's bank does. */
    async chargeBackCharge(txid: string, value?: number): Promise<Body> {
      const body = value === undefined ? undefined : { value };
      const response = await callStaff('POST', `/sandbox/pix/${txid}/reverse`, body);
      assert.equal(response.status, 201, response.text);
      return response.body;
    },

    async setPspFaults(faults: Record<string, unknown>): Promise<void> {
      const response = await callStaff('PUT', '/sandbox/psp/faults', faults);
      assert.equal(response.status, 200, response.text);
    },

    async getInstallment(hash: string, number = 1): Promise<Body> {
      return (await driver.getCheckout(hash)).installments[number - 1];
    },

    waitForStatus: (customer: TestCustomer, pixId: string, status: string): Promise<Body> =>
      eventually(`the charge is ${status}`, async () => {
        const charge = await pixDriver.getCharge(customer, pixId);
        return charge.status === status && charge;
      }),

    /** Runs a job now, and waits until no job of Pix is due. */
    async runJob(task: TaskName): Promise<void> {
      await enqueueTask(service, task);
      await pixDriver.waitForJobs();
    },

    /** Waits until no job of Pix is due within five seconds: retries after an error are included, later ones are not. */
    waitForJobs: (): Promise<unknown> =>
      eventually('all jobs of Pix are done', async () => {
        const row = await service.db.row<{ count: number }>(sql`
          select count(*) from graphile_worker.jobs
          where task_identifier like 'pix%' and run_at <= now() + interval '5 seconds'`);
        return row!.count === 0;
      }),

    /** Inserts a charge at the PSP that has the Pix key of the service, but that the service did not create. Returns the txid. */
    async createForeignCharge(): Promise<string> {
      const txid = randomBytes(16).toString('hex');
      const terms = {
        calendario: { expiracao: 3600 },
        valor: { original: '10.00' },
        chave: SANDBOX_PIX.key,
      };
      const location = `pix.example/qr/v2/${txid}`;
      await insertCharge(service.db, { txid, terms, now: service.clock.now(), token: txid, location });
      return txid;
    },

    async readCount(statement: Sql): Promise<number> {
      return (await service.db.row<{ count: number }>(statement))!.count;
    },
  };
  return pixDriver;
}
