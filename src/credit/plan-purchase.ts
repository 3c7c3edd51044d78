import { saoPauloDay } from '#core/day.ts';
import { parseReais } from '#core/money.ts';
import type { Ppm } from '#core/percent.ts';
import { type Schedule, scheduleOf } from '#core/schedule.ts';
import { DEFAULT_TERMS, parseTerms, type Terms, type TermsOnTheWire } from '#core/terms.ts';
import type { FieldError } from '#platform/problem.ts';

/** What the operator asks for; names and units as on the wire. */
export type Order = {
  /** Id or phone. */
  customer: string;
  /** Slug. */
  merchant: string;
  amount: number;
  installments: number;
  description?: string;
  terms?: Partial<TermsOnTheWire>;
  /** Now unless given. */
  purchased_at?: string;
};

export type Plan = { readonly purchasedAt: Date; readonly terms: Terms; readonly schedule: Schedule };

export type PlanFault = FieldError & { readonly law?: string };

/** The schedule of an order, or everything that is wrong with it at once. `cashback`: what the merchant gives. */
export function planPurchase(
  order: Order,
  cashback: Ppm,
  context: { now: Date; lateEntryMs: number },
): { plan: Plan; faults: [] } | { plan: null; faults: PlanFault[] } {
  const purchasedAt = order.purchased_at === undefined ? context.now : new Date(order.purchased_at);
  const amount = parseReais(order.amount);
  const terms = parseTerms(order.terms ?? {}, { ...DEFAULT_TERMS, cashback });
  const faults: PlanFault[] = [
    ...faultOf('/purchased_at', wrongInstant(purchasedAt, context)),
    ...faultOf('/amount', amount === null && 'must be an amount in reais with at most two decimals'),
    ...(terms.ok ? [] : terms.violations).map(({ field, message, law }) => ({
      pointer: `/terms/${field}`,
      message,
      ...(law && { law }),
    })),
  ];
  if (faults.length > 0 || amount === null || !terms.ok) return { plan: null, faults };
  const scheduled = scheduleOf({
    financed: amount,
    installments: order.installments,
    weeklyRate: terms.terms.weeklyRate,
    purchasedOn: saoPauloDay(purchasedAt.getTime()),
  });
  if (scheduled.ok)
    return { plan: { purchasedAt, terms: terms.terms, schedule: scheduled.schedule }, faults: [] };
  const { code, message } = scheduled.refusal;
  const pointer = code === 'installments_out_of_range' ? '/installments' : '/amount';
  return { plan: null, faults: [{ pointer, message }] };
}

function wrongInstant(purchasedAt: Date, { now, lateEntryMs }: { now: Date; lateEntryMs: number }) {
  const ageMs = now.getTime() - purchasedAt.getTime();
  if (Number.isNaN(ageMs)) return 'must be an instant like 2026-11-15T12:00:00Z';
  if (ageMs < 0) return 'must not be in the future';
  return ageMs > lateEntryMs && 'must not be more than 24 hours ago';
}

function faultOf(pointer: string, message: string | false): FieldError[] {
  return message === false ? [] : [{ pointer, message }];
}
