import assert from 'node:assert/strict';
import { sql } from '#platform/database/db.ts';
import { type ApiResponse, type Body, eventually, type Service } from './harness.ts';
import { createPixDriver } from './pix-driver.ts';
import type { TestCustomer } from './purchase-driver.ts';

/** The result of a debit: paid, insufficient funds, above the limit of the payer, or no response of the bank. */
type DebitOutcome = 'paid' | 'no_money' | 'cap' | 'silent';
/** `day` is the day of the planned attempt, or of the last one if none is planned. */
type DebitSummary = { status: string; day: string; attempts: number };

/** The body of a request for autopay whose code also pays the first installment. */
export const PAY_FIRST_INSTALLMENT = { first: true };

/** Extends {@link createPixDriver}: customers authorise debits. `moveClock` moves the clock through the staff API and runs the jobs that become due. */
export function createAutopayDriver(service: Service) {
  const pixDriver = createPixDriver(service);
  const { callStaff } = pixDriver;

  const autopayDriver = {
    ...pixDriver,

    async requestAuthorisation(
      customer: TestCustomer,
      hash: string,
      body?: { first: boolean },
    ): Promise<ApiResponse> {
      const options = { token: await pixDriver.createToken(customer), ...(body && { body }) };
      return service.call('POST', `/wallet/checkouts/${hash}/autopay`, options);
    },

    async endAuthorisation(customer: TestCustomer, hash: string): Promise<ApiResponse> {
      return service.call('DELETE', `/wallet/checkouts/${hash}/autopay`, {
        token: await pixDriver.createToken(customer),
      });
    },

    async getAuthorisation(customer: TestCustomer, hash: string): Promise<Body> {
      return (await pixDriver.getAsCustomer(customer, `/wallet/checkouts/${hash}/autopay`)).body;
    },

    /** Decides a pending authorisation at the simulator, as the payer's bank does. */
    decideAsBank: (authorisationId: string, decision: 'authorise' | 'refuse' | 'cancel') =>
      callStaff('POST', `/sandbox/autopay/${authorisationId}/${decision}`),

    /** Sells a purchase and authorises its debits. `body` is that of the request for autopay. */
    async sellWithAutopay(order: Record<string, unknown> = {}, body?: { first: boolean }) {
      const customer = await pixDriver.createCustomer();
      const checkout = await pixDriver.sell(customer, { amount: 100, installments: 4, ...order });
      const response = await autopayDriver.requestAuthorisation(customer, checkout.hash, body);
      assert.equal(response.status, 201, response.text);
      const decisionResponse = await autopayDriver.decideAsBank(response.body.id, 'authorise');
      assert.equal(decisionResponse.status, 200, decisionResponse.text);
      assert.equal(decisionResponse.body.status, 'active');
      return {
        customer,
        hash: checkout.hash as string,
        checkout,
        authorisationId: response.body.id as string,
      };
    },

    /** Returns the purchase as its customer sees it. */
    async getCheckoutAsCustomer(customer: TestCustomer, hash: string): Promise<Body> {
      const response = await pixDriver.getAsCustomer(customer, `/wallet/checkouts/${hash}`);
      assert.equal(response.status, 200, response.text);
      return response.body;
    },

    /** Sets what happens to debits at the simulator from now on. */
    setDebitOutcome: (outcome: DebitOutcome, otherFaults: Record<string, unknown> = {}) =>
      pixDriver.setPspFaults({ debits: outcome, ...otherFaults }),

    /** Moves the sandbox clock, waits for all jobs that become due, and sets the test's own clock to the same time. */
    async moveClock(change: { advance: string } | { now: string }): Promise<void> {
      const moveResponse = await callStaff('POST', '/sandbox/clock', change);
      assert.equal(moveResponse.status, 200, moveResponse.text);
      // Between the reset of the sandbox clock and the setting of the test's clock, a job would see the old time.
      await eventually('no job is due', async () => {
        const dueJob = await service.db.row(sql`
          select 1 from graphile_worker.jobs
          where run_at <= now() and (attempts < max_attempts or locked_at is not null)`);
        return dueJob === undefined;
      });
      await callStaff('DELETE', '/sandbox/clock');
      service.clock.set(moveResponse.body.now);
    },

    /** Runs the jobs that are due within a second. */
    runDueJobs: () => autopayDriver.moveClock({ advance: 'PT1S' }),

    /** Lists the debits of the installments, with null for an installment without a debit. */
    async listDebits(customer: TestCustomer, hash: string): Promise<Array<DebitSummary | null>> {
      const { installments } = await autopayDriver.getCheckoutAsCustomer(customer, hash);
      return installments.map(
        ({ autopay: debit }: Body) => debit && { status: debit.status, day: debit.on, attempts: debit.tries },
      );
    },

    /** Returns the debit of the first installment, or null if it has none. */
    async findFirstDebit(customer: TestCustomer, hash: string): Promise<DebitSummary | null> {
      const [firstDebit] = await autopayDriver.listDebits(customer, hash);
      return firstDebit!;
    },

    async listInstallmentStatuses(customer: TestCustomer, hash: string): Promise<string[]> {
      return (await autopayDriver.getCheckoutAsCustomer(customer, hash)).installments.map(
        ({ status }: Body) => status,
      );
    },

    waitUntilAuthorisationEnds: (customer: TestCustomer, hash: string) =>
      eventually('the authorisation has ended', async () => {
        const { status } = await autopayDriver.getAuthorisation(customer, hash);
        return status === 'ended';
      }),

    async listEventTypes(customerId: string): Promise<string[]> {
      return (await pixDriver.listEvents(customerId)).map(({ type }) => type);
    },
  };
  return autopayDriver;
}
