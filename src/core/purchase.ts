import { applyReceipt, partsOf } from './allocation.ts';
import { dayNumber, type Instant, saoPauloDayNumber } from './day.ts';
import { type DebtEvent, debtAt, type Extension, type Installment, type Payment } from './debt.ts';
import { type Cents, cents } from './money.ts';
import {
  type Agreed,
  arrivedOf,
  heldOf,
  hereOf,
  type Left,
  type ReceiptFacts,
  type ToRefund,
  toReceipt,
  UNTOUCHED,
} from './receipts.ts';
import { installmentsOf, type Purchase, type ScheduledInstallment } from './schedule.ts';
import {
  cut,
  daysBefore,
  inCents,
  moneyOf,
  negative,
  type Parts,
  type Share,
  type Slot,
  takeDown,
  takeMoney,
  takePenalties,
  takePrincipal,
  toShare,
} from './shares.ts';

/** A return, of so much of what was bought for. */
export type ReturnFacts = { readonly id: string; readonly at: Instant; readonly amount: Cents };

/** Money that arrived, and for which installment: its index. */
export type PlacedReceipt = ReceiptFacts & { readonly installment: number };

export type PurchaseFacts = {
  readonly plan: Purchase;
  readonly installments: readonly Agreed[];
  /** Of those at the same instant, the one heard of first comes first. */
  readonly receipts: readonly PlacedReceipt[];
  /** In the order in which they were made. */
  readonly returns: readonly ReturnFacts[];
};

export type PurchaseAllocation = {
  /** As given, new parts last, with what is too much now held for a refund. */
  readonly receipts: ReadonlyArray<{
    readonly facts: PlacedReceipt;
    /** As what it was applied when it came. */
    readonly event: Payment | Extension | null;
    /** What it pays now; reversed, what it paid until then. */
    readonly shares: readonly Share[];
    readonly excess: Cents;
  }>;
  readonly installments: readonly Installment[];
  /** What the installments come to. */
  readonly schedule: readonly ScheduledInstallment[];
  readonly toRefund: readonly ToRefund[];
  /** What becomes cashback from now on, since it cannot go back. */
  readonly toCredit: readonly ToRefund[];
};

/** A Pix can be given back for so long. */
const REFUNDABLE_MS = 90 * 86_400_000;

type Money = {
  facts: { -readonly [K in keyof PlacedReceipt]: PlacedReceipt[K] };
  /** When the payment it is a part of arrived. */
  readonly arrivedAt: Instant;
  event: Payment | Extension | null;
  slots: Slot[];
  /** Was too much when it came. */
  excess: number;
  /** Was freed by a return, and pays nothing until it leaves at a later one. */
  waiting: number;
};
/** Something that money is to pay from the instant of a return on. */
type Demand = Slot & { readonly kind: 'payment' | 'transfer' };

/**
 * What all receipts of a purchase come to when some of it was returned. Money is applied to its installment as it arrives, as
 * without returns. At a return every installment comes to what the schedule of the smaller purchase gives. What was paid beyond
 * that pays what else is owed on the purchase, the earliest first. What is left then leaves the payments, the newest first, and
 * what these had paid is paid with what was freed of the others. Whatever left before stays gone, so that it all comes to the same
 * in whatever order it is heard of.
 */
export function allocatePurchase({
  plan,
  installments,
  receipts,
  returns,
}: PurchaseFacts): PurchaseAllocation {
  const events: DebtEvent[][] = installments.map(() => []);
  const moneys = receipts.map((facts) => toMoney(facts, receipts));
  const newParts: PlacedReceipt[] = [];
  const toRefund: ToRefund[] = [];
  const toCredit: ToRefund[] = [];
  let schedule = installmentsOf(plan);
  let returned = 0;

  const installmentAt = (k: number): Installment => ({ ...installments[k]!, events: events[k]! });
  const debtOf = (k: number, at: Instant) => debtAt(installmentAt(k), at);
  /** In the order in which they fall due. */
  const inDueOrder = (at: Instant): number[] =>
    installments
      .map((_, k) => ({ k, dueOn: debtOf(k, at).dueOn }))
      .sort((a, b) => (a.dueOn < b.dueOn ? -1 : a.dueOn > b.dueOn ? 1 : a.k - b.k))
      .map(({ k }) => k);

  function apply(money: Money): void {
    const { facts } = money;
    const { installment: k, receivedAt: at } = facts;
    const { event, excess } = applyReceipt(installmentAt(k), toReceipt(facts));
    money.event = event as Money['event'];
    money.excess = excess;
    if (event) {
      events[k]!.push(event);
      const { interest, fine } = event;
      const own =
        event.kind === 'payment'
          ? { principal: event.principal, discount: event.discount, fee: 0 }
          : { principal: 0, discount: 0, fee: (event as Extension).fee };
      const priced = facts.pricedOn ? dayNumber(facts.pricedOn) : Number.POSITIVE_INFINITY;
      const daysEarly = daysBefore(installments[k]!, Math.min(saoPauloDayNumber(at), priced));
      money.slots.push({ installment: k, interest, fine, ...own, daysEarly });
    }
    // What is left of money that had paid several installments pays them again.
    if (facts.part > 0 && returned > 0)
      for (const other of inDueOrder(at)) if (other !== k) payFrom(money, other, at);
  }

  function payFrom(money: Money, k: number, at: Instant): void {
    if (money.excess === 0) return;
    const debt = debtOf(k, at);
    if (debt.status === 'paid') return;
    const { excess, ...parts } = partsOf(cents(money.excess), debt, installments[k]!.terms);
    money.excess = excess;
    events[k]!.push({ kind: 'payment', at, ...parts, pricedOn: null, reversedAt: money.facts.reversedAt });
    money.slots.push({ installment: k, ...parts, fee: 0, daysEarly: debt.daysEarly });
  }

  function transfer(money: Money, k: number, at: Instant, parts: Omit<Parts, 'fee'>): void {
    const { interest, fine, principal, discount } = parts;
    if (interest === 0 && fine === 0 && principal === 0 && discount === 0) return;
    const signed = {
      interest: cents(interest),
      fine: cents(fine),
      principal: cents(principal),
      discount: cents(discount),
    };
    events[k]!.push({ kind: 'transfer', at, ...signed, reversedAt: money.facts.reversedAt });
  }

  /** So much leaves the money at the return, as a part of its own. */
  function leave(money: Money, amount: number, { id: returnId, at }: ReturnFacts): void {
    if (amount === 0) return;
    const { facts } = money;
    const { reference, source, installment } = facts;
    facts.left = addLeft(facts.left, returnId, amount);
    const isOfIt = (known: PlacedReceipt) => known.reference === reference;
    const part = receipts.filter(isOfIt).length + newParts.filter(isOfIt).length;
    const goesBack = source === 'cashback' || (source === 'pix' && at - money.arrivedAt <= REFUNDABLE_MS);
    const gone = goesBack ? { refunded: cents(amount) } : { credited: cents(amount) };
    newParts.push({
      reference,
      part,
      source,
      installment,
      receivedAt: at,
      amount: cents(amount),
      purpose: 'pay',
      pricedOn: null,
      reversedAt: null,
      ...UNTOUCHED,
      ...gone,
    });
    (goesBack ? toRefund : toCredit).push({ reference, part, amountCents: cents(amount) });
  }

  /** What of the money left at this return before, and does not wait for it. */
  function takeGone(money: Money, { id }: ReturnFacts): number {
    const { facts } = money;
    const gone = facts.left.find(({ returnId }) => returnId === id)?.amount ?? 0;
    const waited = Math.min(gone, money.waiting);
    money.waiting -= waited;
    // It turns out never to have paid anything.
    const tooMuch = Math.min(gone - waited, Math.max(0, money.excess - facts.stranded));
    money.excess -= tooMuch;
    facts.taken = cents(facts.taken + tooMuch);
    facts.left = addLeft(facts.left, id, -tooMuch);
    return gone - waited - tooMuch;
  }

  function giveBack(made: ReturnFacts): void {
    const { at } = made;
    returned += made.amount;
    const isWhole = returned === plan.financed;
    const before = schedule;
    schedule = installmentsOf({ ...plan, financed: cents(plan.financed - returned) });
    const wasPaid = installments.map((_, k) => debtOf(k, at).status === 'paid');
    const isLive = ({ facts }: Money) => facts.reversedAt === null || facts.reversedAt > at;
    const [live, dead] = [newestFirst(moneys.filter(isLive)), moneys.filter((money) => !isLive(money))];
    for (const money of dead) takeMoney(money.slots, takeGone(money, made));
    for (const [k, { amount }] of schedule.entries()) {
      const less = cents(before[k]!.amount - amount);
      if (less !== 0 || isWhole) events[k]!.push({ kind: 'return', at, returned: less, whole: isWhole });
    }
    if (isWhole) takeAll(made, live);
    else redistribute(made, live, wasPaid);
  }

  function takeAll(made: ReturnFacts, live: readonly Money[]): void {
    for (const money of live) {
      const all = money.slots.reduce((total, slot) => total + moneyOf(slot), 0);
      const rest = Math.max(0, all - takeGone(money, made));
      const out = Math.min(rest, leaving(money));
      money.slots = [];
      money.waiting += rest - out;
      leave(money, out, made);
    }
  }

  function redistribute(made: ReturnFacts, live: readonly Money[], wasPaid: readonly boolean[]): void {
    const { at } = made;
    const freed = new Map(live.map((money) => [money, 0]));
    const free = (money: Money, amount: number) => freed.set(money, freed.get(money)! + amount);
    const vacant: Demand[] = [];
    /** From what was freed of the money, then from what it pays, the last installment first. */
    const takeFrom = (money: Money, amount: number): void => {
      const fromFreed = Math.min(amount, freed.get(money)!);
      free(money, -fromFreed);
      let rest = amount - fromFreed;
      for (const slot of money.slots.toSorted((a, b) => b.installment - a.installment)) {
        const principal = Math.min(rest, slot.principal);
        if (principal === 0) continue;
        const taken = takePrincipal(slot, principal);
        transfer(money, slot.installment, at, negative(taken));
        vacant.push({ kind: 'transfer', installment: slot.installment, ...taken, daysEarly: slot.daysEarly });
        rest -= principal;
      }
    };

    for (const [k, { amount }] of schedule.entries()) {
      const slotsOf = (money: Money) => money.slots.filter((slot) => slot.installment === k);
      const paid = live.flatMap(slotsOf).reduce((total, slot) => total + slot.principal + slot.discount, 0);
      let beyond = paid - amount;
      for (const money of live) {
        for (const slot of slotsOf(money)) {
          const down = Math.min(Math.max(0, beyond), slot.principal + slot.discount);
          if (down === 0) continue;
          const taken = takeDown(slot, down, installments[k]!);
          transfer(money, k, at, negative(taken));
          free(money, taken.principal);
          beyond -= down;
        }
      }
    }
    // What left before: of what was freed and what is paid; only then of penalties, which are owed again.
    const gone = new Map<Money, number>();
    const amountOf = (money: Money) => freed.get(money)! + principalOf(money);
    for (const money of live) {
      const left = takeGone(money, made);
      gone.set(money, Math.min(left, amountOf(money)));
      for (const { installment, ...taken } of takePenalties(money.slots, left - gone.get(money)!))
        transfer(money, installment, at, negative(taken));
    }
    const total = (amounts: Iterable<number>) => [...amounts].reduce((all, amount) => all + amount, 0);
    let spare = Math.max(0, total(freed.values()) - total(gone.values()));
    const payments: Demand[] = [];
    // As if all of it were one payment; whose money it is comes after.
    for (const k of inDueOrder(at)) {
      const debt = debtOf(k, at);
      if (spare === 0 || debt.status === 'paid') continue;
      const { excess, ...parts } = partsOf(cents(spare), debt, installments[k]!.terms);
      const kind = wasPaid[k] ? 'transfer' : 'payment';
      payments.push({ kind, installment: k, ...parts, fee: 0, daysEarly: debt.daysEarly });
      spare = excess;
    }
    for (const money of live) {
      const out = Math.min(spare, amountOf(money) - gone.get(money)!, leaving(money));
      // In one go, so that it comes to the same whether it leaves now or had left before.
      takeFrom(money, gone.get(money)! + out);
      leave(money, out, made);
      spare -= out;
    }
    let pool = total(freed.values()) - total(payments.map(moneyOf));
    const refilled: Demand[] = [];
    for (const slot of vacant.sort((a, b) => a.installment - b.installment)) {
      const filled = takePrincipal({ ...slot }, Math.min(pool, slot.principal));
      if (filled.principal > 0) refilled.push({ ...slot, ...filled });
      pool -= filled.principal;
    }
    const supplies = live.toReversed().map((money) => ({ money, amount: freed.get(money)! }));
    assign([...refilled, ...payments], supplies, at);
  }

  /** The oldest money first. */
  function assign(
    demands: readonly Demand[],
    supplies: ReadonlyArray<{ money: Money; amount: number }>,
    at: Instant,
  ): void {
    const left = supplies.filter(({ amount }) => amount > 0).map((supply) => ({ ...supply }));
    for (const demand of demands) {
      const open = { ...demand };
      while (moneyOf(open) > 0) {
        const supply = left[0]!;
        const { money } = supply;
        const parts = cut(open, Math.min(supply.amount, moneyOf(open)));
        const { installment, daysEarly } = demand;
        if (demand.kind === 'transfer') transfer(money, installment, at, parts);
        else {
          const { fee: _, ...paid } = parts;
          const { reversedAt } = money.facts;
          events[installment]!.push({ kind: 'payment', at, ...inCents(paid), pricedOn: null, reversedAt });
        }
        money.slots.push({ installment, ...parts, daysEarly });
        supply.amount -= moneyOf(parts);
        if (supply.amount === 0) left.shift();
      }
    }
    for (const { money, amount } of left) money.waiting += amount;
  }

  const timeline = [
    ...moneys
      .filter(({ facts }) => arrivedOf(facts) > 0)
      .map((money) => ({
        at: money.facts.receivedAt,
        // At the same instant money comes before returns, and what left at them after them.
        rank: money.facts.part > 0 ? returns.length : -1,
        run: () => apply(money),
      })),
    ...returns.map((made, i) => ({ at: made.at, rank: i, run: () => giveBack(made) })),
  ];
  for (const { run } of timeline.sort((a, b) => a.at - b.at || a.rank - b.rank)) run();

  const results = moneys.map(({ facts, event, slots, excess: tooMuch, waiting }) => {
    const excess = tooMuch + waiting;
    const held = heldOf(facts, cents(excess));
    const { reference, part } = facts;
    if (held > 0) toRefund.push({ reference, part, amountCents: held });
    const over = cents(excess - held);
    const stranded = facts.reversedAt === null ? over : cents(0);
    return {
      facts: { ...facts, refunded: cents(facts.refunded + held), stranded },
      event,
      shares: slots.filter((slot) => moneyOf(slot) + slot.discount > 0).map(toShare),
      excess: over,
    };
  });
  const added = newParts.map((facts) => ({ facts, event: null, shares: [], excess: cents(0) }));
  return {
    receipts: [...results, ...added],
    installments: installments.map((_, k) => installmentAt(k)),
    schedule,
    toRefund,
    toCredit,
  };
}

function toMoney(facts: PlacedReceipt, receipts: readonly PlacedReceipt[]): Money {
  const first = receipts.find(({ reference, part }) => reference === facts.reference && part === 0);
  const arrivedAt = first?.receivedAt ?? facts.receivedAt;
  return { facts: { ...facts }, arrivedAt, event: null, slots: [], excess: 0, waiting: 0 };
}

/** What can still leave of what was applied: not what leaves at a later return, nor what the payer's bank has taken by now. */
function leaving({ facts, excess }: Money): number {
  return facts.reversedAt === null ? Math.max(0, hereOf(facts) - excess) : 0;
}

function principalOf({ slots }: Money): number {
  return slots.reduce((total, { principal }) => total + principal, 0);
}

function addLeft(left: readonly Left[], returnId: string, amount: number): readonly Left[] {
  const before = left.find((known) => known.returnId === returnId)?.amount ?? 0;
  const others = left.filter((known) => known.returnId !== returnId);
  return before + amount === 0 ? others : [...others, { returnId, amount: cents(before + amount) }];
}

function newestFirst(moneys: readonly Money[]): Money[] {
  return moneys
    .toReversed()
    .sort((a, b) => b.arrivedAt - a.arrivedAt || b.facts.receivedAt - a.facts.receivedAt);
}
