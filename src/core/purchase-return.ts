import { partsOf } from './allocation.ts';
import type { Instant } from './day.ts';
import { cents } from './money.ts';
import {
  debtOf,
  inDueOrder,
  leave,
  type Money,
  type PurchaseState,
  type ReturnFacts,
  takeGone,
} from './purchase-state.ts';
import { hereOf } from './receipts.ts';
import { installmentsOf } from './schedule.ts';
import {
  cut,
  inCents,
  moneyOf,
  negative,
  type Parts,
  type Slot,
  takeDown,
  takeMoney,
  takePenalties,
  takePrincipal,
} from './shares.ts';

/** Something that freed money pays from the instant of a return on. */
type Demand = Slot & { readonly kind: 'payment' | 'transfer' };

/** An amount for each receipt. */
type Amounts = Map<Money, number>;

/** Applies a return: the schedule shrinks to that of the smaller purchase, and the money is distributed anew. */
export function applyReturn(state: PurchaseState, made: ReturnFacts): void {
  const { at } = made;
  const { plan, installments } = state.facts;
  const wasPaid = installments.map((_, k) => debtOf(state, k, at).status === 'paid');
  const isLive = ({ facts }: Money) => facts.reversedAt === null || facts.reversedAt > at;
  const live = newestFirst(state.moneys.filter(isLive));
  const reversed = state.moneys.filter((money) => !isLive(money));
  for (const money of reversed) takeMoney(money.slots, takeGone(money, made));
  state.returned += made.amount;
  const isWhole = state.returned === plan.financed;
  shrinkSchedule(state, at, isWhole);
  if (isWhole) takeAll(state, made, live);
  else redistribute(state, made, live, wasPaid);
}

function newestFirst(moneys: readonly Money[]): Money[] {
  return moneys
    .toReversed()
    .sort((a, b) => b.arrivedAt - a.arrivedAt || b.facts.receivedAt - a.facts.receivedAt);
}

function shrinkSchedule(state: PurchaseState, at: Instant, isWhole: boolean): void {
  const { facts, events, returned, schedule: before } = state;
  state.schedule = installmentsOf({ ...facts.plan, financed: cents(facts.plan.financed - returned) });
  for (const [k, { amount }] of state.schedule.entries()) {
    const less = cents(before[k]!.amount - amount);
    if (less !== 0 || isWhole) events[k]!.push({ kind: 'return', at, returned: less, whole: isWhole });
  }
}

/** The whole purchase was returned: everything that was paid leaves. */
function takeAll(state: PurchaseState, made: ReturnFacts, live: readonly Money[]): void {
  for (const money of live) {
    const rest = Math.max(0, total(money.slots.map(moneyOf)) - takeGone(money, made));
    const out = Math.min(rest, canLeave(money));
    money.slots = [];
    money.waiting += rest - out;
    leave(state, money, out, made);
  }
}

/** A part was returned: what was paid beyond the smaller schedule pays other installments, and the rest leaves. */
function redistribute(
  state: PurchaseState,
  made: ReturnFacts,
  live: readonly Money[],
  wasPaid: readonly boolean[],
): void {
  const { at } = made;
  const freed = freeOverpaid(state, live, at);
  const gone = takeGoneBefore(state, live, freed, made);
  const { payments, spare } = planPayments(
    state,
    Math.max(0, total(freed.values()) - total(gone.values())),
    wasPaid,
    at,
  );
  const vacant = takeLeaving(state, live, { freed, gone, spare }, made);
  const refilled = refill(vacant, total(freed.values()) - total(payments.map(moneyOf)));
  assign(state, [...refilled, ...payments], freed, at);
}

/** Frees what was paid on each installment beyond its new amount, the newest money first. */
function freeOverpaid(state: PurchaseState, live: readonly Money[], at: Instant): Amounts {
  const freed: Amounts = new Map(live.map((money) => [money, 0]));
  for (const [k, { amount }] of state.schedule.entries()) {
    const paying = live.flatMap((money) =>
      money.slots.filter(({ installment }) => installment === k).map((slot) => ({ money, slot })),
    );
    let beyond = total(paying.map(({ slot }) => slot.principal + slot.discount)) - amount;
    for (const { money, slot } of paying) {
      const down = Math.min(Math.max(0, beyond), slot.principal + slot.discount);
      if (down === 0) continue;
      const taken = takeDown(slot, down, state.facts.installments[k]!);
      recordTransfer(state, money, k, at, negative(taken));
      add(freed, money, taken.principal);
      beyond -= down;
    }
  }
  return freed;
}

/**
 * What left at this return in an earlier replay. It comes out of freed money and principal. Only what those do not cover comes
 * out of penalties, which are owed again.
 */
function takeGoneBefore(
  state: PurchaseState,
  live: readonly Money[],
  freed: Amounts,
  made: ReturnFacts,
): Amounts {
  const gone: Amounts = new Map();
  for (const money of live) {
    const left = takeGone(money, made);
    const covered = Math.min(left, freed.get(money)! + principalOf(money));
    gone.set(money, covered);
    for (const { installment, ...taken } of takePenalties(money.slots, left - covered))
      recordTransfer(state, money, installment, made.at, negative(taken));
  }
  return gone;
}

/** What the spare money pays, the earliest due date first, as if it were one payment. `assign` decides whose money pays it. */
function planPayments(
  state: PurchaseState,
  amount: number,
  wasPaid: readonly boolean[],
  at: Instant,
): { payments: Demand[]; spare: number } {
  const payments: Demand[] = [];
  let spare = amount;
  for (const k of inDueOrder(state, at)) {
    const debt = debtOf(state, k, at);
    if (spare === 0 || debt.status === 'paid') continue;
    const { excess, ...parts } = partsOf(cents(spare), debt, state.facts.installments[k]!.terms);
    const kind = wasPaid[k] ? 'transfer' : 'payment';
    payments.push({ kind, installment: k, ...parts, fee: 0, daysEarly: debt.daysEarly });
    spare = excess;
  }
  return { payments, spare };
}

/** Takes the spare money out of receipts, the newest first. Returns what these had paid and pay no longer. */
function takeLeaving(
  state: PurchaseState,
  live: readonly Money[],
  { freed, gone, spare }: { freed: Amounts; gone: Amounts; spare: number },
  made: ReturnFacts,
): Demand[] {
  const vacant: Demand[] = [];
  let rest = spare;
  for (const money of live) {
    const before = gone.get(money)!;
    const out = Math.min(rest, freed.get(money)! + principalOf(money) - before, canLeave(money));
    // Both amounts at once: the result is the same whether money leaves now or left in an earlier replay.
    vacant.push(...takeFrom(state, money, before + out, freed, made.at));
    leave(state, money, out, made);
    rest -= out;
  }
  return vacant;
}

/** Takes the amount from the freed money of a receipt, then from the principal that it pays, the last installment first. */
function takeFrom(state: PurchaseState, money: Money, amount: number, freed: Amounts, at: Instant): Demand[] {
  const fromFreed = Math.min(amount, freed.get(money)!);
  add(freed, money, -fromFreed);
  let rest = amount - fromFreed;
  const vacant: Demand[] = [];
  for (const slot of money.slots.toSorted((a, b) => b.installment - a.installment)) {
    const principal = Math.min(rest, slot.principal);
    if (principal === 0) continue;
    const { installment, daysEarly } = slot;
    const taken = takePrincipal(slot, principal);
    recordTransfer(state, money, installment, at, negative(taken));
    vacant.push({ kind: 'transfer', installment, ...taken, daysEarly });
    rest -= principal;
  }
  return vacant;
}

/** What of the vacant slots the pool pays, the first installment first. */
function refill(vacant: readonly Demand[], pool: number): Demand[] {
  const refilled: Demand[] = [];
  let rest = pool;
  for (const slot of vacant.toSorted((a, b) => a.installment - b.installment)) {
    const filled = takePrincipal({ ...slot }, Math.min(rest, slot.principal));
    if (filled.principal > 0) refilled.push({ ...slot, ...filled });
    rest -= filled.principal;
  }
  return refilled;
}

/** Pays the demands with the freed money, the oldest first. What is left of it waits. */
function assign(state: PurchaseState, demands: readonly Demand[], freed: Amounts, at: Instant): void {
  const supplies = [...freed]
    .reverse()
    .filter(([, amount]) => amount > 0)
    .map(([money, amount]) => ({ money, amount }));
  for (const demand of demands) {
    const open = { ...demand };
    while (moneyOf(open) > 0) {
      const supply = supplies[0]!;
      const parts = cut(open, Math.min(supply.amount, moneyOf(open)));
      pay(state, supply.money, demand, parts, at);
      supply.amount -= moneyOf(parts);
      if (supply.amount === 0) supplies.shift();
    }
  }
  for (const { money, amount } of supplies) money.waiting += amount;
}

function pay(
  state: PurchaseState,
  money: Money,
  { kind, installment, daysEarly }: Demand,
  parts: Parts,
  at: Instant,
): void {
  const { reversedAt } = money.facts;
  if (kind === 'transfer') recordTransfer(state, money, installment, at, parts);
  else state.events[installment]!.push({ kind, at, ...inCents(parts), pricedOn: null, reversedAt });
  money.slots.push({ installment, ...parts, daysEarly });
}

function recordTransfer(
  { events }: PurchaseState,
  { facts: { reversedAt } }: Money,
  k: number,
  at: Instant,
  parts: Omit<Parts, 'fee'>,
): void {
  const { interest, fine, principal, discount } = parts;
  if (interest === 0 && fine === 0 && principal === 0 && discount === 0) return;
  events[k]!.push({ kind: 'transfer', at, ...inCents(parts), reversedAt });
}

/** What can still leave of the applied money. Not what leaves at a later return, nor what the payer's bank has taken since. */
function canLeave({ facts, excess }: Money): number {
  return facts.reversedAt === null ? Math.max(0, hereOf(facts) - excess) : 0;
}

const principalOf = ({ slots }: Money) => total(slots.map(({ principal }) => principal));

function total(amounts: Iterable<number>): number {
  let sum = 0;
  for (const amount of amounts) sum += amount;
  return sum;
}

const add = (amounts: Amounts, money: Money, amount: number) =>
  amounts.set(money, amounts.get(money)! + amount);
