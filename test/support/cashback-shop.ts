import assert from 'node:assert/strict';
import { sql } from '#platform/database/db.ts';
import { createLog } from '#platform/observability/log.ts';
import { createModuleEvents, readConfiguration } from '../../src/modules.ts';
import { expireCashback } from '../../src/rewards/cashback-account.ts';
import type { Body, Service } from '../harness.ts';
import { newCustomer, openShop, type Shopper } from '../shop.ts';

/** Opens a shop whose purchases earn cashback, with functions that read the cashback. */
export function openCashbackShop(service: Service) {
  const shop = openShop(service);
  const getAsShopper = async (shopper: Pick<Shopper, 'phone' | 'password'>, path: string): Promise<Body> => {
    const response = await shop.getAsCustomer(shopper, path);
    assert.equal(response.status, 200, response.text);
    return response.body;
  };

  const cashbackShop = {
    ...shop,

    /** Sells a purchase, by default of R$ 100.00 in one installment with 5 % cashback. */
    sell: (
      customer: { phone: string },
      order: Record<string, unknown> = {},
      cashbackPercent = 5,
    ): Promise<Body> =>
      shop.sell(customer, {
        ...order,
        terms: { ...(order.terms as object | undefined), cashback_percent: cashbackPercent },
      }),

    /** Creates a purchase that is paid immediately. */
    async buyAndPay(customer: Shopper, order: Record<string, unknown> = {}, cashbackPercent = 5) {
      const { hash, installments } = await cashbackShop.sell(customer, order, cashbackPercent);
      const { id, amount } = installments[0];
      const { reference } = await shop.pay(customer.id, id, amount);
      return { hash, installmentId: id, reference };
    },

    getBalance: (shopper: Pick<Shopper, 'phone' | 'password'>): Promise<Body> =>
      getAsShopper(shopper, '/wallet/cashback/balance'),
    getStatement: (shopper: Pick<Shopper, 'phone' | 'password'>, query = ''): Promise<Body> =>
      getAsShopper(shopper, `/wallet/cashback/ledger${query}`),
    getReferral: (shopper: Pick<Shopper, 'phone' | 'password'>, query = ''): Promise<Body> =>
      getAsShopper(shopper, `/wallet/referral${query}`),

    /** Expires cashback, as the job does every hour. */
    expireLots: () =>
      expireCashback({
        db: service.db,
        clock: service.clock,
        events: createModuleEvents(readConfiguration({})),
        log: createLog('silent'),
      }),

    /** Creates a customer with a high credit limit. With a referral code, the owner of the code has invited this customer. */
    async newShopper(referrerCode?: string, name = 'Davi Teste da Silva'): Promise<Shopper> {
      const shopper = await newCustomer(service, { name, ...(referrerCode && { referrerCode }) });
      await service.db.run(sql`update customers set credit_limit_cents = 10000000 where id = ${shopper.id}`);
      return shopper;
    },

    getReferralCode: async (shopper: Pick<Shopper, 'phone' | 'password'>): Promise<string> =>
      (await cashbackShop.getReferral(shopper)).code,
  };
  return cashbackShop;
}

/** Returns kind, amount and balance of each line of a statement, newest first. */
export const summarizeLines = (statement: Body): Array<[string, number, number]> =>
  statement.data.map((line: Body) => [line.kind, line.amount, line.balance_after]);
