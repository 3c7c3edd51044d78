import assert from 'node:assert/strict';
import { sql } from '#platform/database/db.ts';
import { type Answer, eventually, type Service } from './harness.ts';
import { OPERATOR_KEY, type Shopper } from './shop.ts';
import { openTill } from './till.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Body = any;
type Debits = 'paid' | 'no_money' | 'cap' | 'silent';

/** Authorises debits and walks through weeks in a service. Its clock is moved as a newcomer would move it. */
export function openAutopay(service: Service) {
  const till = openTill(service);
  const staff = (method: string, path: string, body?: unknown): Promise<Answer> =>
    service.staff(method, path, { key: OPERATOR_KEY, ...(body !== undefined && { body }) });

  const autopay = {
    ...till,
    /** A code for an installment. */
    code: till.ask,

    async ask(shopper: Shopper, hash: string, body?: { first: boolean }): Promise<Answer> {
      const options = { token: await till.token(shopper), ...(body && { body }) };
      return service.call('POST', `/wallet/checkouts/${hash}/autopay`, options);
    },

    async end(shopper: Shopper, hash: string): Promise<Answer> {
      return service.call('DELETE', `/wallet/checkouts/${hash}/autopay`, {
        token: await till.token(shopper),
      });
    },

    async standing(shopper: Shopper, hash: string): Promise<Body> {
      return (await service.get(`/wallet/checkouts/${hash}/autopay`, { token: await till.token(shopper) }))
        .body;
    },

    /** The payer's bank answers. */
    answer: (id: string, answer: 'authorise' | 'refuse' | 'cancel') =>
      staff('POST', `/sandbox/autopay/${id}/${answer}`),

    /** A purchase whose debits are authorised. */
    async authorised(order: Record<string, unknown> = {}, body?: { first: boolean }) {
      const shopper = await till.newShopper();
      const checkout = await till.sell(shopper, { amount: 100, installments: 4, ...order });
      const response = await autopay.ask(shopper, checkout.hash, body);
      assert.equal(response.status, 201, response.text);
      const answered = await autopay.answer(response.body.id, 'authorise');
      assert.equal(answered.status, 200, answered.text);
      assert.equal(answered.body.status, 'active');
      return { shopper, hash: checkout.hash as string, checkout, id: response.body.id as string };
    },

    /** The purchase as its customer sees it. */
    async see(shopper: Shopper, hash: string): Promise<Body> {
      const answer = await service.get(`/wallet/checkouts/${hash}`, { token: await till.token(shopper) });
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    },

    /** What becomes of debits from now on. */
    debits: (debits: Debits, more: Record<string, unknown> = {}) => till.faults({ debits, ...more }),

    /** Moves the time with all that happens on the way, and puts the test's own clock there. */
    async move(to: { advance: string } | { now: string }): Promise<void> {
      const moved = await staff('POST', '/sandbox/clock', to);
      assert.equal(moved.status, 200, moved.text);
      // The two clocks change hands in two steps: a job in between would see the old time.
      await eventually('no job is due', async () => {
        const due = await service.db.row(sql`
          select 1 from graphile_worker.jobs
          where run_at <= now() and (attempts < max_attempts or locked_at is not null)`);
        return due === undefined;
      });
      await staff('DELETE', '/sandbox/clock');
      service.clock.set(moved.body.now);
    },

    /** Does what the jobs do, now, without waiting for them. */
    tick: () => autopay.move({ advance: 'PT1S' }),

    /** Status, day and tries of the debit of each installment. */
    async debitsOf(shopper: Shopper, hash: string): Promise<Array<[string, string, number] | null>> {
      const { installments } = await autopay.see(shopper, hash);
      return installments.map(({ autopay: debit }: Body) => debit && [debit.status, debit.on, debit.tries]);
    },

    async statuses(shopper: Shopper, hash: string): Promise<string[]> {
      return (await autopay.see(shopper, hash)).installments.map(({ status }: Body) => status);
    },

    whenEnded: (shopper: Shopper, hash: string) =>
      eventually('the authorisation has ended', async () => {
        const { status } = await autopay.standing(shopper, hash);
        return status === 'ended';
      }),

    async typesOf(customerId: string): Promise<string[]> {
      return (await till.events(customerId)).map(({ type }) => type);
    },
  };
  return autopay;
}
