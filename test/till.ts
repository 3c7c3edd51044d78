import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type Sql, sql } from '#platform/database/db.ts';
import { SANDBOX_PIX } from '../src/pix/settings.ts';
import { type Answer, type CallOptions, eventually, type Node, type Service } from './harness.ts';
import { openShop, type Shopper } from './shop.ts';

export { assertRefused, logOut } from './support/customers.ts';

import { enter, logIn, OPERATOR_KEY } from './support/customers.ts';

export const SECRET = SANDBOX_PIX.callbackSecret;

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Body = any;

export type Till = ReturnType<typeof openTill>;

/** Requests codes, pays them at the simulator, and reads the results. */
export function openTill(service: Service) {
  const shop = openShop(service);
  const tokens = new Map<string, { token: string; at: number }>();

  const staff = async (method: string, path: string, body?: unknown): Promise<Answer> =>
    service.staff(method, path, { key: OPERATOR_KEY, ...(body !== undefined && { body }) });

  const till = {
    ...shop,
    staff,
    logIn: (shopper: Pick<Shopper, 'phone' | 'password'>) => logIn(service, shopper),

    async token(shopper: Pick<Shopper, 'phone' | 'password'>): Promise<string> {
      const at = service.clock.now().getTime();
      const known = tokens.get(shopper.phone);
      if (known?.at === at) return known.token;
      const { token } = await enter(service, shopper);
      tokens.set(shopper.phone, { token, at });
      return token;
    },

    async ask(
      shopper: Shopper,
      installmentId: string,
      body: unknown,
      options: CallOptions & { node?: Node } = {},
    ): Promise<Answer> {
      const { node = service, ...others } = options;
      const token = await till.token(shopper);
      return node.post(`/wallet/installments/${installmentId}/pix`, body, { token, ...others });
    },

    /** Creates a charge, which must succeed. */
    async charge(shopper: Shopper, installmentId: string, type: string, value?: number): Promise<Body> {
      const answer = await till.ask(shopper, installmentId, { type, ...(value !== undefined && { value }) });
      assert.ok(answer.status === 200 || answer.status === 201, answer.text);
      return answer.body;
    },

    async show(shopper: Shopper, pixId: string): Promise<Body> {
      const answer = await service.get(`/wallet/pix/${pixId}`, { token: await till.token(shopper) });
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    },

    /** The payer's bank pays. */
    async payCode(txid: string, how: { value?: number; at?: string; force?: boolean } = {}): Promise<Body> {
      const answer = await staff('POST', `/sandbox/pix/${txid}/pay`, how);
      assert.equal(answer.status, 201, answer.text);
      return answer.body;
    },

    /** The payer's bank takes the payment back, or a part of it. */
    async takeBackCode(txid: string, value?: number): Promise<Body> {
      const body = value === undefined ? undefined : { value };
      const answer = await staff('POST', `/sandbox/pix/${txid}/reverse`, body);
      assert.equal(answer.status, 201, answer.text);
      return answer.body;
    },

    async faults(faults: Record<string, unknown>): Promise<void> {
      const answer = await staff('PUT', '/sandbox/psp/faults', faults);
      assert.equal(answer.status, 200, answer.text);
    },

    async installment(hash: string, number = 1): Promise<Body> {
      return (await shop.look(hash)).installments[number - 1];
    },

    whenStatus: (shopper: Shopper, pixId: string, status: string): Promise<Body> =>
      eventually(`the charge is ${status}`, async () => {
        const charge = await till.show(shopper, pixId);
        return charge.status === status && charge;
      }),

    /** Runs a job now, and waits until no job is left. */
    async run(task: string): Promise<void> {
      await service.db.run(sql`select 1 from graphile_worker.add_job(${task})`);
      await till.whenIdle();
    },

    whenIdle: (): Promise<unknown> =>
      eventually('all jobs are done', async () => {
        const row = await service.db.row<{ open: number }>(sql`
          select count(*) as open from graphile_worker.jobs
          where task_identifier like 'pix%' and run_at <= now() + interval '5 seconds'`);
        return row!.open === 0;
      }),

    /** A charge at the PSP for our key that the service did not create; returns its txid. */
    async strangeCharge(): Promise<string> {
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

    audit: shop.disagreements,

    async count(statement: Sql): Promise<number> {
      return (await service.db.row<{ count: number }>(statement))!.count;
    },
  };
  return till;
}
