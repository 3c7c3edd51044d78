import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type Sql, sql } from '#platform/database/db.ts';
import { SANDBOX_PIX } from '../src/pix/settings.ts';
import { type ApiResponse, type CallOptions, eventually, type Node, type Service } from './harness.ts';
import { openShop, type Shopper } from './shop.ts';

export { assertRefused, logOut } from './support/customers.ts';

import { logIn, OPERATOR_KEY, openSessionFor } from './support/customers.ts';

export const CALLBACK_SECRET = SANDBOX_PIX.callbackSecret;

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Body = any;

export type PixShop = ReturnType<typeof openPixShop>;

/** Requests codes, pays them at the simulator, and reads the results. */
export function openPixShop(service: Service) {
  const shop = openShop(service);
  const tokens = new Map<string, { token: string; at: number }>();

  const callStaff = async (method: string, path: string, body?: unknown): Promise<ApiResponse> =>
    service.staff(method, path, { key: OPERATOR_KEY, ...(body !== undefined && { body }) });

  const pixShop = {
    ...shop,
    staff: callStaff,
    logIn: (shopper: Pick<Shopper, 'phone' | 'password'>) => logIn(service, shopper),

    async createToken(shopper: Pick<Shopper, 'phone' | 'password'>): Promise<string> {
      const at = service.clock.now().getTime();
      const cachedToken = tokens.get(shopper.phone);
      if (cachedToken?.at === at) return cachedToken.token;
      const { token: createToken } = await openSessionFor(service, shopper);
      tokens.set(shopper.phone, { token: createToken, at });
      return createToken;
    },

    async requestCharge(
      shopper: Shopper,
      installmentId: string,
      body: unknown,
      options: CallOptions & { node?: Node } = {},
    ): Promise<ApiResponse> {
      const { node = service, ...others } = options;
      const createToken = await pixShop.createToken(shopper);
      return node.post(`/wallet/installments/${installmentId}/pix`, body, { token: createToken, ...others });
    },

    /** Creates a charge, which must succeed. */
    async createCharge(shopper: Shopper, installmentId: string, type: string, value?: number): Promise<Body> {
      const answer = await pixShop.requestCharge(shopper, installmentId, {
        type,
        ...(value !== undefined && { value }),
      });
      assert.ok(answer.status === 200 || answer.status === 201, answer.text);
      return answer.body;
    },

    async getCharge(shopper: Shopper, pixId: string): Promise<Body> {
      const answer = await service.get(`/wallet/pix/${pixId}`, { token: await pixShop.createToken(shopper) });
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    },

    /** The payer's bank pays. */
    async payCharge(
      txid: string,
      payment: { value?: number; at?: string; force?: boolean } = {},
    ): Promise<Body> {
      const answer = await callStaff('POST', `/sandbox/pix/${txid}/pay`, payment);
      assert.equal(answer.status, 201, answer.text);
      return answer.body;
    },

    /** The payer's bank takes the payment back, or a part of it. */
    async chargeBackCharge(txid: string, value?: number): Promise<Body> {
      const body = value === undefined ? undefined : { value };
      const answer = await callStaff('POST', `/sandbox/pix/${txid}/reverse`, body);
      assert.equal(answer.status, 201, answer.text);
      return answer.body;
    },

    async setPspFaults(setPspFaults: Record<string, unknown>): Promise<void> {
      const answer = await callStaff('PUT', '/sandbox/psp/faults', setPspFaults);
      assert.equal(answer.status, 200, answer.text);
    },

    async getInstallment(hash: string, number = 1): Promise<Body> {
      return (await shop.getCheckout(hash)).installments[number - 1];
    },

    waitForStatus: (shopper: Shopper, pixId: string, status: string): Promise<Body> =>
      eventually(`the charge is ${status}`, async () => {
        const createCharge = await pixShop.getCharge(shopper, pixId);
        return createCharge.status === status && createCharge;
      }),

    /** Runs a job now, and waits until no job is left. */
    async runJob(task: string): Promise<void> {
      await service.db.run(sql`select 1 from graphile_worker.add_job(${task})`);
      await pixShop.waitForJobs();
    },

    waitForJobs: (): Promise<unknown> =>
      eventually('all jobs are done', async () => {
        const row = await service.db.row<{ open: number }>(sql`
          select count(*) as open from graphile_worker.jobs
          where task_identifier like 'pix%' and run_at <= now() + interval '5 seconds'`);
        return row!.open === 0;
      }),

    /** A charge at the PSP for our key that the service did not create; returns its txid. */
    async createForeignCharge(): Promise<string> {
      const txid = randomBytes(16).toString('hex');
      const terms = {
        calendario: { expiracao: 3600 },
        valor: { original: '10.00' },
        chave: SANDBOX_PIX.key,
      };
      await service.db.run(sql`
        insert into psp_sim_charges (txid, status, terms, created_at)
        values (${txid}, 'ATIVA', ${JSON.stringify(terms)}, ${service.clock.now()})`);
      return txid;
    },

    listAuditMismatches: shop.listMismatches,

    async readCount(statement: Sql): Promise<number> {
      return (await service.db.row<{ readCount: number }>(statement))!.readCount;
    },
  };
  return pixShop;
}
