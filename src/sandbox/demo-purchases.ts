import { addDays, type Day, saoPauloDay, startOfDay } from '#core/day.ts';
import { HOUR_MS } from '#core/duration.ts';
import { applyReceipt, approvePurchase, hasPurchases, openCheckout, tellOverdue } from '#credit';
import { findCustomerId } from '#customers';
import type { Events } from '#events';
import { createPayouts, payPayout } from '#payouts';
import type { Clock } from '#platform/clock.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import type { Tx } from '#platform/database/db.ts';
import { cashbackOwed } from '#rewards';

const ANA = '+5511987650001';
const BRUNO = '+5511987650002';

/** `paid`: how many installments were paid, each on its due day. */
const PURCHASES = [
  {
    daysAgo: 36,
    paid: 4,
    order: {
      customer: ANA,
      merchant: 'padaria-flor-do-trigo',
      amount: 120,
      installments: 4,
      description: 'Encomenda de aniversário',
    },
  },
  // The third fell due six days ago: overdue whatever weekends and holidays there were since.
  {
    daysAgo: 27,
    paid: 2,
    order: {
      customer: ANA,
      merchant: 'otica-vista-linda',
      amount: 300,
      installments: 6,
      description: 'Óculos de grau',
    },
  },
  // The first falls due tomorrow; a week from now it is overdue.
  {
    daysAgo: 6,
    paid: 0,
    order: {
      customer: ANA,
      merchant: 'livraria-pagina-virada',
      amount: 250,
      installments: 5,
      description: 'Material escolar',
    },
  },
  {
    daysAgo: 9,
    paid: 1,
    order: {
      customer: BRUNO,
      merchant: 'eletro-pantanal',
      amount: 400,
      installments: 8,
      description: 'Forno elétrico',
      terms: { weekly_rate_percent: 1.5 },
    },
  },
];

/** The bakery was paid for its sales up to then; other merchants are still to be paid. */
const PAYOUT_DAYS_AGO = 30;

type SeedDeps = { clock: Clock; events: Events };

/**
 * Purchases and payments in the past, through the same verbs as real ones, so that the ledger is right. Skipped if there are
 * purchases already.
 */
export async function seedPurchases(tx: CustomerTx, { clock, events }: SeedDeps): Promise<void> {
  if (await isAnythingBought(tx)) return;
  const today = saoPauloDay(clock.now().getTime());
  const unpaid: Payment[] = [];
  for (let daysAgo = 60; daysAgo > 0; daysAgo--) {
    const on = addDays(today, -daysAgo);
    const context = { events, now: new Date(startOfDay(on) + 12 * HOUR_MS) };
    for (const { order, paid } of PURCHASES.filter((purchase) => purchase.daysAgo === daysAgo)) {
      const bounds = { now: context.now, lateEntryMs: 0, cashbackDebt: cashbackOwed };
      const purchase = await approvePurchase(tx, order, bounds);
      const { customer_id: customerId, installments } = await openCheckout(tx, purchase, {
        ...context,
        writtenAt: clock.now(),
      });
      for (const { id, debt } of installments.slice(0, paid))
        unpaid.push({ customerId, installmentId: id!, amountCents: debt.amount, dueOn: debt.dueOn });
    }
    if (daysAgo === PAYOUT_DAYS_AGO)
      for (const { id } of await createPayouts(tx, on, context.now))
        await payPayout(tx, id, 'TED 482913', context);
    for (const { dueOn, ...payment } of unpaid.filter((due) => due.dueOn === on)) {
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
    await tellOverdue(tx, (await findCustomerId(tx, phone))!, { events, now: clock.now() });
}

type Payment = { customerId: string; installmentId: string; amountCents: number; dueOn: Day };

async function isAnythingBought(tx: Tx): Promise<boolean> {
  for (const phone of [ANA, BRUNO]) {
    const customerId = await findCustomerId(tx, phone);
    if (customerId !== undefined && (await hasPurchases(tx, customerId))) return true;
  }
  return false;
}
