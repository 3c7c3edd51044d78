import assert from 'node:assert/strict';
import type { RefundDue } from '#core/finance/receipts.ts';
import { cents } from '#core/values/money.ts';
import {
  applyReceipt,
  applyRefundChanges,
  detachPayment,
  findNextPartNumber,
  type RequestRefunds,
  returnPurchase,
} from '#credit';
import { lockCustomerById } from '#customers';
import { runAudit } from '#ledger';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { sql } from '#platform/database/db.ts';
import { auditors, createModuleEvents, readConfiguration } from '../src/modules.ts';
import type { Answer, CallOptions, Service } from './harness.ts';
import { enter, newCustomer, OPERATOR_KEY } from './support/customers.ts';

export {
  ANA,
  CARLA,
  logIn,
  me,
  newCpf,
  newCustomer,
  newPhone,
  OPERATOR_KEY,
} from './support/customers.ts';

export const MERCHANT = 'padaria-flor-do-trigo';

export type Shopper = { id: string; phone: string; password: string };

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Body = any;

export type Shop = ReturnType<typeof openShop>;

/** Buys and pays in a service, and reads the results. */
export function openShop(service: Service) {
  const tokens = new Map<string, { token: string; at: number }>();
  let receipts = 0;

  const shop = {
    async newShopper(limitReais = 10_000): Promise<Shopper> {
      const shopper = await newCustomer(service);
      await service.db.run(
        sql`update customers set credit_limit_cents = ${limitReais * 100} where id = ${shopper.id}`,
      );
      return shopper;
    },

    /** POST /admin/checkouts; by default R$ 100.00 in one installment, without cashback. */
    order(customer: { phone: string }, order: Record<string, unknown> = {}, options: CallOptions = {}) {
      const { terms = {}, ...others } = order;
      const body = {
        customer: customer.phone,
        merchant: MERCHANT,
        amount: 100,
        installments: 1,
        ...others,
        terms: { cashback_percent: 0, ...(terms as object) },
      };
      return service.staff('POST', '/admin/checkouts', { key: OPERATOR_KEY, body, ...options });
    },

    async sell(customer: { phone: string }, order: Record<string, unknown> = {}): Promise<Body> {
      const answer = await shop.order(customer, order);
      assert.equal(answer.status, 201, answer.text);
      return answer.body;
    },

    /** The purchase as the operator sees it. */
    async look(hash: string): Promise<Body> {
      const answer = await service.staff('GET', `/admin/checkouts/${hash}`, { key: OPERATOR_KEY });
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    },

    /** A GET by the customer; logs in again when the clock was moved. */
    async ask(customer: { phone: string; password: string }, path: string): Promise<Answer> {
      const at = service.clock.now().getTime();
      let known = tokens.get(customer.phone);
      if (known?.at !== at) {
        known = { token: (await enter(service, customer)).token, at };
        tokens.set(customer.phone, known);
      }
      return service.get(path, { token: known.token });
    },

    /** Applies a payment, by default now. */
    async pay(
      customerId: string,
      installmentId: string,
      reais: number,
      more: { at?: string; purpose?: 'pay' | 'extend'; reference?: string; source?: 'pix' | 'manual' } = {},
    ) {
      const reference = more.reference ?? `E${String(++receipts).padStart(31, '0')}`;
      const now = service.clock.now();
      const received = {
        customerId,
        installmentId,
        reference,
        source: more.source ?? 'pix',
        receivedAt: more.at === undefined ? now : new Date(more.at),
        amountCents: Math.round(reais * 100),
        purpose: more.purpose ?? 'pay',
      } as const;
      const given = { events: createModuleEvents(readConfiguration({})), now };
      const applied = await customerTransaction(service.db, customerId, async (tx) => {
        await lockCustomerById(tx, customerId);
        return applyReceipt(tx, received, given);
      });
      return { reference, ...applied };
    },

    /** POST /admin/checkouts/:hash/returns; by default of all that is left. */
    giveBack(hash: string, amount?: number, options: CallOptions = {}) {
      const body = { reason: 'Não serviu', ...(amount !== undefined && { amount }) };
      return service.staff('POST', `/admin/checkouts/${hash}/returns`, {
        key: OPERATOR_KEY,
        body,
        ...options,
      });
    },

    /** POST /admin/checkouts/:hash/write-off, and its reversal; 409 if there is nothing to do. */
    writeOff: (hash: string) => shop.book(hash, 'write-off'),
    reinstate: (hash: string) => shop.book(hash, 'reinstate'),
    async book(hash: string, how: 'write-off' | 'reinstate'): Promise<Answer> {
      const body = { reason: 'Sem esperança' };
      const answer = await service.staff('POST', `/admin/checkouts/${hash}/${how}`, {
        key: OPERATOR_KEY,
        body,
      });
      assert.ok([200, 409].includes(answer.status), answer.text);
      return answer;
    },

    /** A return of a purchase paid without a PSP. Its refunds wait for {@link shop.failRefunds}, or are done. */
    async returned(customerId: string, hash: string, reais?: number): Promise<readonly RefundDue[]> {
      const given = { events: createModuleEvents(readConfiguration({})), now: service.clock.now() };
      const amount = reais === undefined ? undefined : cents(Math.round(reais * 100));
      const order = { customerId, hash, amount, reason: 'Não serviu', authorId: 'a test' };
      let held: readonly RefundDue[] = [];
      const requestRefunds: RequestRefunds = async (_tx, _customerId, { toRefund }) => {
        held = toRefund;
      };
      await customerTransaction(service.db, customerId, (tx) =>
        returnPurchase(tx, order, { ...given, requestRefunds }),
      );
      return held;
    },

    /** Marks refunds of overpaid amounts as failed. */
    async failRefunds(
      customerId: string,
      installmentId: string,
      held: ReadonlyArray<RefundDue>,
    ): Promise<void> {
      const given = { events: createModuleEvents(readConfiguration({})), now: service.clock.now() };
      await customerTransaction(service.db, customerId, async (tx) => {
        await lockCustomerById(tx, customerId);
        for (const { reference, part, amountCents: amount } of held) {
          const failed = [{ id: `D${++receipts}`, part, amount, isAbandoned: true }];
          const heard = { chargebacks: [], failed, unsent: [], sent: [] };
          await applyRefundChanges(tx, { customerId, installmentId, reference }, heard, given);
        }
      });
    },

    /** The payer's bank takes back what is left of a receipt. Returns whether anything was. */
    async takeBack(
      customerId: string,
      installmentId: string,
      reference: string,
      at?: string,
    ): Promise<boolean> {
      const now = service.clock.now();
      const given = { events: createModuleEvents(readConfiguration({})), now };
      return customerTransaction(service.db, customerId, async (tx) => {
        await lockCustomerById(tx, customerId);
        const row = await tx.row<{ here: number }>(sql`
          select coalesce(sum(amount_cents - refunded_cents - taken_cents - credited_cents - left_cents), 0)::bigint as here
          from receipts
          where customer_id = ${customerId} and reference = ${reference} and reversed_at is null`);
        if (row!.here === 0) return false;
        const taken = {
          id: 'MED',
          amount: cents(row!.here),
          at: (at === undefined ? now : new Date(at)).getTime(),
        };
        const heard = { chargebacks: [taken], failed: [], unsent: [], sent: [] };
        await applyRefundChanges(tx, { customerId, installmentId, reference }, heard, given);
        return true;
      });
    },

    /** Moves a whole payment to another installment of its customer. Returns whether all of it was here. */
    async move(
      customerId: string,
      { from, to, reference, reais }: { from: string; to: string; reference: string; reais: number },
    ): Promise<boolean> {
      const now = service.clock.now();
      const given = { events: createModuleEvents(readConfiguration({})), now };
      const id = `mov_${++receipts}`;
      const notWhole = Symbol('not whole');
      try {
        await customerTransaction(service.db, customerId, async (tx) => {
          await lockCustomerById(tx, customerId);
          const first = await tx.row<{ received_at: Date }>(sql`
            select min(received_at) as received_at from receipts
            where customer_id = ${customerId} and reference = ${reference}`);
          const source = { customerId, installmentId: from, reference, moveId: id };
          const { amount } = await detachPayment(tx, source, given);
          if (amount !== Math.round(reais * 100)) throw notWhole;
          const received = {
            customerId,
            installmentId: to,
            reference,
            source: 'pix',
            receivedAt: first!.received_at,
            amountCents: amount,
            purpose: 'pay',
            move: { id, part: await findNextPartNumber(tx, customerId, reference) },
          } as const;
          await applyReceipt(tx, received, given);
        });
        return true;
      } catch (error) {
        if (error !== notWhole) throw error;
        return false;
      }
    },

    /** The customer's balance on each account, in centavos; accounts at zero are left out. */
    async balances(customerId: string): Promise<Record<string, number>> {
      const rows = await service.db.rows<{ account: string; amount: number }>(sql`
        select account, sum(amount_cents)::bigint as amount from ledger_entries
        where customer_id = ${customerId} group by account having sum(amount_cents) <> 0 order by account`);
      return Object.fromEntries(rows.map(({ account, amount }) => [account, amount]));
    },

    /** The mismatches that 'semana audit' would report; of one customer if given. */
    async disagreements(customerId?: string): Promise<string[]> {
      const found: string[] = [];
      if (customerId !== undefined) {
        const range = { after: customerId.slice(0, -1), upTo: customerId };
        await service.db.transaction(async (tx) => {
          for (const { check } of auditors) found.push(...(await check(tx, range)));
        });
        return found;
      }
      const on = { onMismatch: (text: string) => void found.push(text), onProgress: () => undefined };
      await runAudit(service.db, auditors, on);
      return found;
    },

    /** Events of the customer's purchases. */
    async events(customerId: string): Promise<Array<{ type: string; sequence: number; data: Body }>> {
      return service.db.rows(sql`
        select type, sequence, data from events
        where customer_id = ${customerId} and checkout_hash is not null order by position`);
    },
  };
  return shop;
}
