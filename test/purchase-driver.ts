import assert from 'node:assert/strict';
import type { ReceiptSource, RefundDue } from '#core/finance/receipts.ts';
import { cents } from '#core/values/money.ts';
import {
  applyReceipt,
  applyRefundChanges,
  detachPayment,
  findNextPaymentPart,
  type RequestRefunds,
  returnPurchase,
} from '#credit';
import { lockCustomerById } from '#customers';
import { runAudit } from '#ledger';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { sql } from '#platform/database/db.ts';
import { auditors, createModuleEvents, readConfiguration } from '../src/modules.ts';
import type { ApiResponse, Body, CallOptions, SharedService } from './harness.ts';
import { newCustomer, OPERATOR_KEY, openSessionFor } from './support/customers.ts';

export {
  ANA,
  CARLA,
  getMe,
  logIn,
  newCpf,
  newCustomer,
  newPhone,
  OPERATOR_KEY,
} from './support/customers.ts';

export const MERCHANT = 'padaria-flor-do-trigo';
const events = createModuleEvents(readConfiguration({}));

export type TestCustomer = { id: string; phone: string; password: string };

export type PurchaseDriver = ReturnType<typeof createPurchaseDriver>;

/** A test driver that sells purchases, applies payments without a PSP, and reads the results. */
export function createPurchaseDriver(service: SharedService) {
  const tokens = new Map<string, { token: string; createdAtMs: number }>();
  /** Numbers references and ids, so that each is unique. */
  let referenceCount = 0;
  /** The event context of the driver's calls: the handlers of all modules, and the time of the test's clock. */
  const createContext = () => ({ events, now: service.clock.now() });

  const driver = {
    /** Creates a customer with a credit limit that is sufficient for most tests. */
    async createCustomer({ limitReais = 10_000 } = {}): Promise<TestCustomer> {
      const customer = await newCustomer(service);
      await service.db.run(
        sql`update customers set credit_limit_cents = ${limitReais * 100} where id = ${customer.id}`,
      );
      return customer;
    },

    /** Calls POST /admin/checkouts; by default with R$ 100.00 in one installment, without cashback. */
    requestCheckout(
      customer: { phone: string },
      overrides: Record<string, unknown> = {},
      options: CallOptions = {},
    ) {
      const { terms = {}, ...otherOverrides } = overrides;
      const body = {
        customer: customer.phone,
        merchant: MERCHANT,
        amount: 100,
        installments: 1,
        ...otherOverrides,
        terms: { cashback_percent: 0, ...(terms as object) },
      };
      return service.staff('POST', '/admin/checkouts', { key: OPERATOR_KEY, body, ...options });
    },

    async sell(customer: { phone: string }, overrides: Record<string, unknown> = {}): Promise<Body> {
      const response = await driver.requestCheckout(customer, overrides);
      assert.equal(response.status, 201, response.text);
      return response.body;
    },

    /** Returns the purchase as the operator sees it. */
    async getCheckout(hash: string): Promise<Body> {
      const response = await service.staff('GET', `/admin/checkouts/${hash}`, { key: OPERATOR_KEY });
      assert.equal(response.status, 200, response.text);
      return response.body;
    },

    /** Returns a token of the customer. Opens a new session when the clock was moved. */
    async createToken(customer: { phone: string; password: string }): Promise<string> {
      const createdAtMs = service.clock.now().getTime();
      const cachedToken = tokens.get(customer.phone);
      if (cachedToken?.createdAtMs === createdAtMs) return cachedToken.token;
      const { token } = await openSessionFor(service, customer);
      tokens.set(customer.phone, { token, createdAtMs });
      return token;
    },

    getAsCustomer: async (
      customer: { phone: string; password: string },
      path: string,
    ): Promise<ApiResponse> => service.get(path, { token: await driver.createToken(customer) }),

    /** Applies a payment, by default now. Returns the reference of the payment, and what applying it changed. */
    async pay(
      customerId: string,
      installmentId: string,
      reais: number,
      options: {
        paidAt?: string;
        purpose?: 'pay' | 'extend';
        /** The reference of the payment; by default a new one. */
        reference?: string;
        source?: ReceiptSource;
      } = {},
    ) {
      const reference = options.reference ?? `E${String(++referenceCount).padStart(31, '0')}`;
      const context = createContext();
      const receiptInput = {
        customerId,
        installmentId,
        reference,
        source: options.source ?? 'pix',
        receivedAt: options.paidAt === undefined ? context.now : new Date(options.paidAt),
        amountCents: Math.round(reais * 100),
        purpose: options.purpose ?? 'pay',
      } as const;
      const result = await customerTransaction(service.db, customerId, async (tx) => {
        await lockCustomerById(tx, customerId);
        return applyReceipt(tx, receiptInput, context);
      });
      return { reference, ...result };
    },

    /** Calls POST /admin/checkouts/:hash/returns; by default for the whole remaining amount. */
    requestReturn(hash: string, amount?: number, options: CallOptions = {}) {
      const body = { reason: 'Não serviu', ...(amount !== undefined && { amount }) };
      return service.staff('POST', `/admin/checkouts/${hash}/returns`, {
        key: OPERATOR_KEY,
        body,
        ...options,
      });
    },

    /** Calls POST /admin/checkouts/:hash/write-off. The status is 409 if the purchase is already written off. */
    writeOff: (hash: string) => driver.changeWriteOff(hash, 'write-off'),
    reinstate: (hash: string) => driver.changeWriteOff(hash, 'reinstate'),
    async changeWriteOff(hash: string, action: 'write-off' | 'reinstate'): Promise<ApiResponse> {
      const body = { reason: 'Sem esperança' };
      const response = await service.staff('POST', `/admin/checkouts/${hash}/${action}`, {
        key: OPERATOR_KEY,
        body,
      });
      assert.ok([200, 409].includes(response.status), response.text);
      return response;
    },

    /** Returns a purchase that was paid without a PSP to the merchant. Resolves to the due refunds, which are not requested; `failRefunds` records their failure. */
    async returnWithoutPsp(customerId: string, hash: string, reais?: number): Promise<readonly RefundDue[]> {
      const context = createContext();
      const amount = reais === undefined ? undefined : cents(Math.round(reais * 100));
      const returnInput = { customerId, hash, amount, reason: 'Não serviu', authorId: 'a test' };
      let refundsDue: readonly RefundDue[] = [];
      const requestRefunds: RequestRefunds = async (_tx, _customerId, { toRefund }) => {
        refundsDue = toRefund;
      };
      await customerTransaction(service.db, customerId, (tx) =>
        returnPurchase(tx, returnInput, { ...context, requestRefunds }),
      );
      return refundsDue;
    },

    /** Records that refunds of overpaid amounts have failed permanently. */
    async failRefunds(
      customerId: string,
      installmentId: string,
      refundsDue: ReadonlyArray<RefundDue>,
    ): Promise<void> {
      const context = createContext();
      await customerTransaction(service.db, customerId, async (tx) => {
        await lockCustomerById(tx, customerId);
        for (const { reference, part, amountCents: amount } of refundsDue) {
          const failed = [{ id: `D${++referenceCount}`, part, amount, isAbandoned: true }];
          const refundChanges = { chargebacks: [], failed, unsent: [], sent: [] };
          await applyRefundChanges(tx, { customerId, installmentId, reference }, refundChanges, context);
        }
      });
    },

    /** Charges back the remaining amount of a payment, as the payer's bank does. Returns whether there was any. */
    async chargeBack(
      customerId: string,
      installmentId: string,
      reference: string,
      chargedBackAt?: string,
    ): Promise<boolean> {
      const context = createContext();
      return customerTransaction(service.db, customerId, async (tx) => {
        await lockCustomerById(tx, customerId);
        const row = await tx.row<{ remaining: number }>(sql`
          select coalesce(sum(amount_cents - refunded_cents - taken_cents - credited_cents - left_cents), 0)::bigint as remaining
          from receipts
          where customer_id = ${customerId} and reference = ${reference} and reversed_at is null`);
        if (row!.remaining === 0) return false;
        const chargeback = {
          id: 'MED',
          amount: cents(row!.remaining),
          settledAt: (chargedBackAt === undefined ? context.now : new Date(chargedBackAt)).getTime(),
        };
        const refundChanges = { chargebacks: [chargeback], failed: [], unsent: [], sent: [] };
        await applyRefundChanges(tx, { customerId, installmentId, reference }, refundChanges, context);
        return true;
      });
    },

    /** Moves a whole payment to another installment of its customer. Does nothing and returns false if a part of it was refunded or charged back. */
    async movePayment(
      customerId: string,
      { from, to, reference, reais }: { from: string; to: string; reference: string; reais: number },
    ): Promise<boolean> {
      const context = createContext();
      const id = `mov_${++referenceCount}`;
      // Thrown to roll the transaction back if a part of the payment was refunded or charged back.
      const incompletePayment = Symbol('incomplete payment');
      try {
        await customerTransaction(service.db, customerId, async (tx) => {
          await lockCustomerById(tx, customerId);
          const earliestReceipt = await tx.row<{ received_at: Date }>(sql`
            select min(received_at) as received_at from receipts
            where customer_id = ${customerId} and reference = ${reference}`);
          const payment = { customerId, installmentId: from, reference, moveId: id };
          const { amount } = await detachPayment(tx, payment, context);
          if (amount !== Math.round(reais * 100)) throw incompletePayment;
          const receiptInput = {
            customerId,
            installmentId: to,
            reference,
            source: 'pix',
            receivedAt: earliestReceipt!.received_at,
            amountCents: amount,
            purpose: 'pay',
            move: { id, part: await findNextPaymentPart(tx, customerId, reference) },
          } as const;
          await applyReceipt(tx, receiptInput, context);
        });
        return true;
      } catch (error) {
        if (error !== incompletePayment) throw error;
        return false;
      }
    },

    /** Returns the customer's balance on each account, in centavos, without accounts at zero. */
    async readBalances(customerId: string): Promise<Record<string, number>> {
      const rows = await service.db.rows<{ account: string; amount: number }>(sql`
        select account, sum(amount_cents)::bigint as amount from ledger_entries
        where customer_id = ${customerId} group by account having sum(amount_cents) <> 0 order by account`);
      return Object.fromEntries(rows.map(({ account, amount }) => [account, amount]));
    },

    /** Lists the mismatches that 'semana audit' would report, of one customer or of all. */
    async listMismatches(customerId?: string): Promise<string[]> {
      const mismatches: string[] = [];
      if (customerId !== undefined) {
        const range = { afterId: customerId.slice(0, -1), lastId: customerId };
        await service.db.transaction(async (tx) => {
          for (const { check } of auditors) mismatches.push(...(await check(tx, range)));
        });
        return mismatches;
      }
      const callbacks = {
        onMismatch: (text: string) => void mismatches.push(text),
        onProgress: () => undefined,
      };
      await runAudit(service.db, auditors, callbacks);
      return mismatches;
    },

    /** Lists the events of the customer's purchases. */
    async listEvents(customerId: string): Promise<Array<{ type: string; sequence: number; data: Body }>> {
      return service.db.rows(sql`
        select type, sequence, data from events
        where customer_id = ${customerId} and checkout_hash is not null order by position`);
    },
  };
  return driver;
}
