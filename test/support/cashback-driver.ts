import assert from 'node:assert/strict';
import { sql } from '#platform/database/db.ts';
import { createLog } from '#platform/observability/log.ts';
import { createModuleEvents, readConfiguration } from '../../src/modules.ts';
import { expireCashback } from '../../src/rewards/cashback-account.ts';
import type { Body, SharedService } from '../harness.ts';
import { createPurchaseDriver, newCustomer, type TestCustomer } from '../purchase-driver.ts';

/** Extends {@link createPurchaseDriver}: sells purchases with cashback, and reads balance, statement and referral of a customer. */
export function createCashbackDriver(service: SharedService) {
  const driver = createPurchaseDriver(service);
  const getBodyAsCustomer = async (
    customer: Pick<TestCustomer, 'phone' | 'password'>,
    path: string,
  ): Promise<Body> => {
    const response = await driver.getAsCustomer(customer, path);
    assert.equal(response.status, 200, response.text);
    return response.body;
  };

  const cashbackDriver = {
    ...driver,

    /** Sells a purchase, by default of R$ 100.00 in one installment with 5 % cashback. */
    sell: (
      customer: { phone: string },
      order: Record<string, unknown> = {},
      cashbackPercent = 5,
    ): Promise<Body> =>
      driver.sell(customer, {
        ...order,
        terms: { ...(order.terms as object | undefined), cashback_percent: cashbackPercent },
      }),

    /** Creates a purchase that is paid immediately. Returns the reference of the payment. */
    async buyAndPay(customer: TestCustomer, order: Record<string, unknown> = {}, cashbackPercent = 5) {
      const { hash, installments } = await cashbackDriver.sell(customer, order, cashbackPercent);
      const { id, amount } = installments[0];
      const { reference: paymentReference } = await driver.pay(customer.id, id, amount);
      return { hash, installmentId: id, paymentReference };
    },

    getBalance: (customer: Pick<TestCustomer, 'phone' | 'password'>): Promise<Body> =>
      getBodyAsCustomer(customer, '/wallet/cashback/balance'),
    getStatement: (customer: Pick<TestCustomer, 'phone' | 'password'>, query = ''): Promise<Body> =>
      getBodyAsCustomer(customer, `/wallet/cashback/ledger${query}`),
    getReferral: (customer: Pick<TestCustomer, 'phone' | 'password'>, query = ''): Promise<Body> =>
      getBodyAsCustomer(customer, `/wallet/referral${query}`),

    /** Runs what the hourly job does: cashback whose time has come expires. */
    expireDueCashback: () =>
      expireCashback({
        db: service.db,
        clock: service.clock,
        events: createModuleEvents(readConfiguration({})),
        log: createLog('silent'),
      }),

    /** Creates a customer with a high credit limit. With a referral code, the owner of the code has invited this customer. */
    async createCustomer(referrerCode?: string, name = 'Davi Teste da Silva'): Promise<TestCustomer> {
      const customer = await newCustomer(service, { name, ...(referrerCode && { referrerCode }) });
      await service.db.run(sql`update customers set credit_limit_cents = 10000000 where id = ${customer.id}`);
      return customer;
    },

    getReferralCode: async (customer: Pick<TestCustomer, 'phone' | 'password'>): Promise<string> =>
      (await cashbackDriver.getReferral(customer)).code,
  };
  return cashbackDriver;
}

/** Returns kind, amount and balance of each line of a statement, newest first. */
export const summarizeLines = (statement: Body): Array<[string, number, number]> =>
  statement.data.map((line: Body) => [line.kind, line.amount, line.balance_after]);
