import { findMerchantWithPlan } from '#catalog';
import { addDays, type Day, saoPauloDay, startOfDay } from '#core/values/day.ts';
import { HOUR_MS } from '#core/values/duration.ts';
import { cents } from '#core/values/money.ts';
import {
  applyReceipt,
  approvePurchase,
  hasPurchases,
  OFFER_TTL_MS,
  openCheckout,
  publishOverdue,
  recordOffer,
  toDefaultTerms,
  toPayoutTerms,
} from '#credit';
import { findCustomerId } from '#customers';
import type { Events } from '#events';
import { createPayouts, markPayoutPaid } from '#payouts';
import type { Clock } from '#platform/clock.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import type { Tx } from '#platform/database/db.ts';
import { cashbackOwed } from '#rewards';

const ANA = '+5511987650001';
const BRUNO = '+5511987650002';

/** `paidCount`: the number of installments that were paid, each on its due day. */
const PURCHASES = [
  {
    daysAgo: 36,
    paidCount: 4,
    customer: ANA,
    merchant: 'padaria-flor-do-trigo',
    amount: 120,
    installments: 4,
    description: 'Encomenda de aniversário',
  },
  // The third installment fell due six days ago, so it is overdue regardless of weekends and holidays.
  {
    daysAgo: 27,
    paidCount: 2,
    customer: ANA,
    merchant: 'otica-vista-linda',
    amount: 300,
    installments: 6,
    description: 'Óculos de grau',
  },
  // The first installment falls due tomorrow, and is overdue a week from now.
  {
    daysAgo: 6,
    paidCount: 0,
    customer: ANA,
    merchant: 'livraria-pagina-virada',
    amount: 250,
    installments: 5,
    description: 'Material escolar',
  },
  {
    daysAgo: 9,
    paidCount: 1,
    customer: BRUNO,
    merchant: 'eletro-pantanal',
    amount: 400,
    installments: 8,
    description: 'Forno elétrico',
    terms: { weekly_rate_percent: 1.5 },
  },
];

/** The bakery was paid for its sales until then. Payouts of the other merchants are still due. */
const PAYOUT_DAYS_AGO = 30;

type SeedDeps = { clock: Clock; events: Events };

/**
 * Writes purchases and payments in the past with the same functions as real ones, so that the ledger is right. Does nothing if
 * there are purchases already.
 */
export async function seedPurchases(tx: CustomerTx, { clock, events }: SeedDeps): Promise<void> {
  if (await hasDemoPurchases(tx)) return;
  const today = saoPauloDay(clock.now().getTime());
  const duePayments: Payment[] = [];
  for (let daysAgo = 60; daysAgo > 0; daysAgo--) {
    const day = addDays(today, -daysAgo);
    const context = { events, now: new Date(startOfDay(day) + 12 * HOUR_MS) };
    for (const { paidCount, daysAgo: _, ...order } of PURCHASES.filter((sale) => sale.daysAgo === daysAgo)) {
      const bounds = { now: context.now, maxPurchaseAgeMs: 0, cashbackDebt: cashbackOwed };
      const purchase = await approvePurchase(tx, order, bounds);
      const { customer_id: customerId, installments } = await openCheckout(tx, purchase, {
        ...context,
        writtenAt: clock.now(),
      });
      for (const { id, debt } of installments.slice(0, paidCount))
        duePayments.push({ customerId, installmentId: id!, amountCents: debt.amount, dueOn: debt.dueOn });
    }
    if (daysAgo === PAYOUT_DAYS_AGO)
      for (const { id } of await createPayouts(tx, day, context.now))
        await markPayoutPaid(tx, id, 'TED 482913', context);
    for (const { dueOn, ...payment } of duePayments.filter((due) => due.dueOn === day)) {
      const reference = `demo ${payment.installmentId}`;
      const received = {
        ...payment,
        reference,
        source: 'manual',
        receivedAt: context.now,
        purpose: 'pay',
      } as const;
      await applyReceipt(tx, received, context);
    }
  }
  for (const phone of [ANA, BRUNO])
    await publishOverdue(tx, (await findCustomerId(tx, phone))!, { events, now: clock.now() });
}

type Payment = { customerId: string; installmentId: string; amountCents: number; dueOn: Day };

async function hasDemoPurchases(tx: Tx): Promise<boolean> {
  for (const phone of [ANA, BRUNO]) {
    const customerId = await findCustomerId(tx, phone);
    if (customerId !== undefined && (await hasPurchases(tx, customerId))) return true;
  }
  return false;
}

/** Writes a new offer of the bakery to Bruno, unless an earlier one is pending or accepted. */
export async function seedOffer(tx: Tx, { clock, events }: { clock: Clock; events: Events }): Promise<void> {
  const merchant = (await findMerchantWithPlan(tx, 'padaria-flor-do-trigo'))!;
  await recordOffer(
    tx,
    {
      merchant,
      recipient: { phone: '+5511987650002' },
      ttlMs: OFFER_TTL_MS,
      reference: 'DEMO-1',
      description: 'Bolo de casamento',
      items: [],
      returnUrl: null,
      amount: cents(180_00),
      installments: 4,
      terms: toDefaultTerms(merchant),
      payout: toPayoutTerms(merchant),
    },
    { events, now: clock.now() },
  );
}
