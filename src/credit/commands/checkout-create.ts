import { toReais } from '#core/money.ts';
import type { TermsField } from '#core/terms.ts';
import { findCustomerId } from '#customers';
import type { Events } from '#events';
import { type Arguments, type Command, UsageFault } from '#platform/command-line/command.ts';
import { createByReference, REFERENCE } from '#platform/command-line/reference.ts';
import { readCustomer } from '#platform/command-line/values.ts';
import { type CustomerTx, forCustomer } from '#platform/database/customer-transaction.ts';
import { changeByCommand, recordCreation } from '#platform/privacy/trail.ts';
import { approvePurchase, lateEntryMs } from '../purchases/approve-purchase.ts';
import { openCheckout } from '../purchases/open-checkout.ts';
import type { Order } from '../purchases/plan-purchase.ts';
import { renderForOperator } from '../purchases/render-checkout.ts';
import type { CashbackDebt } from '../purchases/store.ts';
import type { CreditSettings } from '../settings.ts';
import { describePlan, ORDER_OPTIONS, readAmount } from './order-words.ts';

const TERMS: Record<string, TermsField> = {
  'weekly-rate': 'weekly_rate_percent',
  fine: 'fine_percent',
  'late-interest': 'late_interest_percent',
  'extension-fee': 'extension_fee_percent',
  'extension-days': 'extension_days',
  'extension-limit': 'extension_limit',
  cashback: 'cashback_percent',
};

export const checkoutCreate = (
  events: Events,
  settings: () => CreditSettings,
  cashbackDebt: CashbackDebt,
): Command => ({
  name: 'checkout create',
  needs: [settings],
  summary: 'sell something on credit to a customer',
  options: {
    customer: { value: 'ID', help: 'id or phone of the customer', required: true },
    ...ORDER_OPTIONS,
    'purchased-at': { value: 'INSTANT', help: 'when, if not now, e.g. 2026-11-15T12:00:00Z' },
    'weekly-rate': { value: 'PERCENT', help: 'interest a week (default: as the merchant sells)' },
    fine: { value: 'PERCENT', help: 'fine when late, at most 2 (default 2)' },
    'late-interest': { value: 'PERCENT', help: 'interest a month when late, at most 1 (default 1)' },
    'extension-fee': { value: 'PERCENT', help: 'price of an extension, at most 10 (default 5)' },
    'extension-days': { value: 'DAYS', help: 'length of an extension (default 7)' },
    'extension-limit': { value: 'N', help: 'how often an installment can be extended (default 2)' },
    cashback: {
      value: 'PERCENT',
      help: 'what comes back of each installment (default: as the merchant gives)',
    },
    reference: REFERENCE,
  },
  details: 'The hash of the purchase goes to standard output, the schedule to standard error.',
  examples: [
    'semana checkout create --customer +5511987650003 --merchant padaria-flor-do-trigo --amount 100 --installments 3 --dry-run',
  ],
  async run(context, args) {
    const { db, clock, config, print } = context;
    const order = readOrder(args);
    const now = clock.now();
    const bounds = {
      now,
      lateEntryMs: lateEntryMs(config.mode),
      maxWeeklyRate: settings().maxWeeklyRate,
      cashbackDebt,
    };
    // The verb refuses an unknown phone.
    const customer = (await findCustomerId(db, order.customer)) ?? order.customer;
    const buying = { ...context, db: forCustomer(db, customer) };
    const approve = (tx: CustomerTx) => approvePurchase(tx, { ...order, customer }, bounds);
    if (args.has('dry-run')) {
      const purchase = await buying.db.transaction(approve);
      print(describePlan(purchase, purchase.merchant.name, process.stdout));
      print('\nNothing was written (--dry-run).');
      return undefined;
    }
    return createByReference(buying, args, { name: 'checkout create', request: order }, async (tx) => {
      const purchase = await approve(tx);
      const file = await openCheckout(tx, purchase, { events, now });
      const shown = renderForOperator(file, { now: now.getTime(), publicUrl: '' });
      const change = changeByCommand(context, 'checkout create');
      await recordCreation(tx, change, { kind: 'checkout', id: shown.hash! }, shown);
      return { output: shown.hash!, note: describePlan(purchase, purchase.merchant.name, process.stderr) };
    });
  },
});

function readOrder(args: Arguments): Order {
  const number = (name: string, text: string): number => {
    if (/^\d+([.,]\d+)?$/.test(text)) return Number(text.replace(',', '.'));
    throw new UsageFault(`--${name} is '${text}'; write a number, like 2.5.`);
  };
  const amount = readAmount(args.required('amount'), 0);
  const given = Object.keys(TERMS).filter((name) => args.has(name));
  const terms = given.map((name) => [TERMS[name]!, number(name, args.option(name)!)]);
  const description = args.option('description');
  const purchasedAt = args.option('purchased-at');
  return {
    customer: readCustomer(args.required('customer')),
    merchant: args.required('merchant'),
    amount: toReais(amount),
    installments: number('installments', args.required('installments')),
    ...(description && { description }),
    ...(purchasedAt && { purchased_at: purchasedAt }),
    terms: Object.fromEntries(terms),
  };
}
