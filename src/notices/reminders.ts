import { addDays, type Day, saoPauloDay } from '#core/day.ts';
import { type DueInstallment, type FindAutopay, findDebt, listDue, listDueCustomers } from '#credit';
import {
  findPreferences,
  hasMessageOn,
  listSubjects,
  listTold,
  type PartsOf,
  type Prepare,
  tellCustomer,
} from '#messages';
import type { Deps } from '#module';
import { createCharge, type Pix } from '#pix';
import { Problem } from '#platform/problem.ts';
import { isReminderHour } from './quiet-hours.ts';
import { dueDays, stepOn } from './steps.ts';

const BATCH_CUSTOMERS = 500;
const IN_PARALLEL = 4;

export type Reminding = Pick<Deps, 'db' | 'clock' | 'log'> & {
  steps: readonly number[];
  pix: Pix;
  findAutopay: FindAutopay;
};

type DueReminder = DueInstallment & { step: number };

/** The subject of a reminder, for deduplication: an installment and its due day. An extension makes it another. */
const aboutOf = ({ id, effective_due_on }: DueInstallment): string => `${id} ${effective_due_on}`;

/** A customer's installments that are at a step today, the longest due first. */
async function listAtStep({ db, steps }: Pick<Reminding, 'db' | 'steps'>, customerId: string, today: Day) {
  const until = addDays(today, -Math.min(0, ...steps));
  const [due, { reminders_before_due }] = await Promise.all([
    listDue(db, customerId, until),
    findPreferences(db, customerId),
  ]);
  return due.flatMap((one) => {
    const step = stepOn(steps, one, today);
    if (step === null || (step < 0 && !reminders_before_due)) return [];
    // No reminder of an installment that was overdue when the purchase was recorded.
    const isKnownSince =
      addDays(step > 0 ? one.effective_due_on : one.due_on, step) > saoPauloDay(one.created_at.getTime());
    return isKnownSince ? [{ ...one, step }] : [];
  });
}

/**
 * Writes today's reminders: one per customer, about everything that is due. Idempotent: it can be interrupted and run again, on several
 * nodes at once. Returns how many customers are reminded.
 */
export async function remindAll(reminding: Reminding): Promise<number> {
  const { db, clock, log, steps } = reminding;
  const today = saoPauloDay(clock.now().getTime());
  // A reset of the sandbox turns the clock back while this runs.
  const isStillToday = () => saoPauloDay(clock.now().getTime()) === today;
  let reminded = 0;
  const remind = async (customerId: string) => {
    try {
      if (await remindCustomer(reminding, customerId, today)) reminded += 1;
    } catch (error) {
      if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) return; // another node was first
      log.error({ err: error, customer_id: customerId }, 'a customer could not be reminded');
    }
  };
  for (const day of dueDays(steps, today)) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const customers: string[] = await listDueCustomers(db, day, after, BATCH_CUSTOMERS);
      for (let i = 0; i < customers.length; i += IN_PARALLEL) {
        if (!isStillToday()) return reminded;
        await Promise.all(customers.slice(i, i + IN_PARALLEL).map(remind));
      }
      after = customers.at(-1);
    }
  }
  return reminded;
}

const UNIQUE_VIOLATION = '23505';

async function remindCustomer(reminding: Reminding, customerId: string, today: Day): Promise<boolean> {
  const { db, clock } = reminding;
  if (await hasMessageOn(db, { customerId, template: 'reminder', day: today })) return false;
  const due = await listAtStep(reminding, customerId, today);
  const told = await listTold(db, { customerId, template: 'reminder', abouts: due.map(aboutOf) });
  const isTold = (one: DueReminder) =>
    told.some(({ about, step }) => about === aboutOf(one) && step === one.step);
  const untold = due.filter((one) => !isTold(one));
  if (untold.length === 0) return false;
  const step = Math.max(...untold.map((one) => one.step));
  await db.transaction(async (tx) => {
    tellCustomer(tx, customerId, {
      template: 'reminder',
      parts: { step, items: [] },
      about: untold.map((one) => ({ about: aboutOf(one), step: one.step, installmentId: one.id })),
      checkouts: [...new Set(untold.map(({ checkout_hash }) => checkout_hash))],
      step,
      day: today,
      now: clock.now(),
    });
  });
  return true;
}

/**
 * Prepares a reminder right before it is sent: what is still owed, with current amounts and a Pix code for the first. Null if nothing is
 * owed, and in quiet hours.
 */
export const prepareReminder =
  (reminding: Reminding): Prepare<'reminder'> =>
  async ({ id, customerId, now }) => {
    const { db } = reminding;
    if (customerId === null || !isReminderHour(now)) return null;
    const subjects = await listSubjects(db, customerId, id);
    const today = saoPauloDay(now.getTime());
    const due = (await listAtStep(reminding, customerId, today)).filter((one) =>
      subjects.some(({ about }) => about === aboutOf(one)),
    );
    const owed = await Promise.all(due.map((one) => owedOn(reminding, customerId, one, now)));
    const items = owed.flatMap((item) => item ?? []);
    if (items.length === 0) return null;
    // A Pix code would cancel the scheduled debit.
    const byHand = due[owed.findIndex((item) => item && !item.isDebited)];
    const code = byHand && (await pixCodeOf(reminding, customerId, byHand.id));
    return {
      step: Math.max(...due.map(({ step }) => step)),
      items,
      ...(code !== undefined && { pixCode: code }),
    };
  };

async function owedOn(
  { db, findAutopay }: Reminding,
  customerId: string,
  { id, checkout_hash, number, installments_total, merchant_name, due_on, step }: DueReminder,
  now: Date,
): Promise<PartsOf<'reminder'>['items'][number] | undefined> {
  const owed = await findDebt(db, customerId, id, now.getTime());
  if (!owed || owed.debt.status === 'paid') return undefined;
  const debits = (await findAutopay(db, customerId, checkout_hash, now))?.installments;
  const debit = debits?.get(id)?.status;
  return {
    merchant: merchant_name,
    number,
    of: installments_total,
    dueOn: due_on,
    owedCents: owed.debt.settleAmount,
    page: `compras/${checkout_hash}/${number}`,
    isLate: step > 0,
    isDebited: debit === 'scheduled' || debit === 'trying',
  };
}

/** Today's Pix code. Without one the message still links to the installment. */
export async function pixCodeOf({ pix, log }: Reminding, customerId: string, installmentId: string) {
  try {
    const input = { customerId, installmentId, type: 'settle_with_penalty' } as const;
    const { charge } = await createCharge(pix, input, undefined);
    return charge.br_code ?? undefined;
  } catch (error) {
    if (!(error instanceof Problem)) log.warn({ err: error }, 'a reminder goes without a code');
    return undefined;
  }
}
