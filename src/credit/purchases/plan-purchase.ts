import type { SellingMerchant } from '#catalog';
import type { Bilingual } from '#core/bilingual.ts';
import { type Cet, cetOfSchedule } from '#core/cet.ts';
import { saoPauloDay } from '#core/day.ts';
import { amountFault, type Cents, parseReais } from '#core/money.ts';
import type { Ppm } from '#core/percent.ts';
import { type Schedule, type ScheduleRefusal, scheduleOf } from '#core/schedule.ts';
import { parseTerms, type Terms, type TermsOnTheWire } from '#core/terms.ts';
import { FORMATS } from '#platform/http/validation.ts';
import type { FieldError } from '#platform/problem.ts';
import type { Contract } from './contract-store.ts';
import type { PayoutTerms } from './merchant-plan.ts';

/** The operator's order; names and units as on the wire. */
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

export type Plan = {
  readonly purchasedAt: Date;
  readonly terms: Terms;
  readonly schedule: Schedule;
  readonly cet: Cet;
};

/** A purchase that is about to be agreed. */
export type ApprovedPurchase = Plan & {
  readonly customerId: string;
  readonly merchant: Pick<SellingMerchant, 'id' | 'slug' | 'name' | 'logo_url'>;
  readonly payout: PayoutTerms;
  readonly description: string | null;
  readonly offerId?: string;
  /** The merchant's reference of that offer. */
  readonly reference?: string | null;
  /** Where one was written: the purchase gets its hash. */
  readonly contract?: Contract;
};

/** The bounds of a purchase besides the law. */
export type PurchaseBounds = {
  readonly now: Date;
  readonly lateEntryMs: number;
  readonly maxWeeklyRate?: Ppm;
};

export type PlanFault = FieldError & { readonly law?: string };

/** The schedule of an order, or everything that is wrong with it. `usual`: the merchant's terms. */
export function planPurchase(
  order: Order,
  usual: Terms,
  context: PurchaseBounds,
): { plan: Plan; faults: [] } | { plan: null; faults: PlanFault[] } {
  const purchasedAt = order.purchased_at === undefined ? context.now : new Date(order.purchased_at);
  const amount = parseReais(order.amount);
  const terms = parseTerms(order.terms ?? {}, usual, context.maxWeeklyRate);
  const faults: PlanFault[] = [
    ...faultOf('/purchased_at', wrongInstant(purchasedAt, context)),
    ...faultOf('/amount', amount === null && amountFault(order.amount)),
    ...(terms.ok ? [] : terms.violations).map(({ field, message, law }) => ({
      pointer: `/terms/${field}`,
      message,
      ...(law && { law }),
    })),
  ];
  if (faults.length > 0 || amount === null || !terms.ok) return { plan: null, faults };
  const made = makePlan({ amount, installments: order.installments }, terms.terms, purchasedAt);
  if (made.ok) return { plan: made.plan, faults: [] };
  const { code, message } = made.refusal;
  const pointer = code === 'installments_out_of_range' ? '/installments' : '/amount';
  return { plan: null, faults: [{ pointer, message }] };
}

/** The cost of a purchase on these terms, if that amount is possible in so many installments. */
export function makePlan(
  { amount, installments }: { amount: Cents; installments: number },
  terms: Terms,
  purchasedAt: Date,
): { ok: true; plan: Plan } | { ok: false; refusal: ScheduleRefusal } {
  const purchasedOn = saoPauloDay(purchasedAt.getTime());
  const { weeklyRate } = terms;
  const made = scheduleOf({ financed: amount, installments, weeklyRate, purchasedOn });
  if (!made.ok) return made;
  const { schedule } = made;
  return { ok: true, plan: { purchasedAt, terms, schedule, cet: cetOfSchedule(schedule, purchasedOn) } };
}

function wrongInstant(purchasedAt: Date, { now, lateEntryMs }: PurchaseBounds) {
  const ageMs = now.getTime() - purchasedAt.getTime();
  if (Number.isNaN(ageMs)) return FORMATS['date-time'];
  if (ageMs < 0) return { en: 'must not be in the future', pt: 'não pode estar no futuro' };
  return (
    ageMs > lateEntryMs && {
      en: 'must not be more than 24 hours ago',
      pt: 'não pode ter mais de 24 horas',
    }
  );
}

function faultOf(pointer: string, message: Bilingual | false): FieldError[] {
  return message === false ? [] : [{ pointer, message }];
}
