import { addDays, type Day, saoPauloDay } from '#core/values/day.ts';
import { parseReais } from '#core/values/money.ts';
import {
  type DueInstallment,
  type FindAutopay,
  findDebt,
  findPurchaseDebts,
  listDueCustomers,
  listDueInstallments,
} from '#credit';
import {
  findPreferences,
  hasMessageOn,
  listNotifiedSubjects,
  listSubjects,
  Postponement,
  type PrepareMessage,
  queueCustomerMessage,
  type TemplateData,
} from '#messages';
import type { Deps } from '#module';
import { createCharge, type Pix } from '#pix';
import { Problem } from '#platform/problem.ts';
import { findStep, isReminderHour, listDueDays, nextReminderHour } from './quiet-hours.ts';

const BATCH_SIZE = 500;
/** The customers whose reminders are read concurrently, in shared round trips, and written in one transaction. */
const GROUP_SIZE = 50;

export type ReminderDeps = Pick<Deps, 'db' | 'clock' | 'log'> & {
  steps: readonly number[];
  pix: Pix;
  findAutopay: FindAutopay;
};

type InstallmentAtStep = DueInstallment & { step: number };

/** The subject of a reminder, for deduplication: an installment and its due day. An extension changes the subject. */
const toSubject = ({ id, effective_due_on }: DueInstallment): string => `${id} ${effective_due_on}`;

/** Lists a customer's installments that are at a reminder step today, longest due first. */
async function listInstallmentsAtStep(
  { db, steps }: Pick<ReminderDeps, 'db' | 'steps'>,
  customerId: string,
  today: Day,
) {
  const until = addDays(today, -Math.min(0, ...steps));
  const [due, { reminders_before_due }] = await Promise.all([
    listDueInstallments(db.shared, customerId, until),
    findPreferences(db.shared, customerId),
  ]);
  return due.flatMap((installment) => {
    const step = findStep(steps, installment, today);
    if (step === null || (step < 0 && !reminders_before_due)) return [];
    // A step that was reached before the purchase was recorded gets no reminder.
    const { due_on, effective_due_on, created_at } = installment;
    const isAfterRecording =
      addDays(step > 0 ? effective_due_on : due_on, step) > saoPauloDay(created_at.getTime());
    return isAfterRecording ? [{ ...installment, step }] : [];
  });
}

/**
 * Writes today's reminders: one per customer, about all due installments. Idempotent: it can be interrupted, repeated, and run on several
 * nodes concurrently. Returns the number of reminded customers.
 */
export async function writeDailyReminders(deps: ReminderDeps): Promise<number> {
  const { db, clock, log, steps } = deps;
  const today = saoPauloDay(clock.now().getTime());
  // A reset of the sandbox may turn the clock back while this runs.
  const isStillToday = () => saoPauloDay(clock.now().getTime()) === today;
  let remindedCount = 0;
  const forEachLogged = async <T>(
    customerIds: readonly string[],
    work: (customerId: string) => Promise<T>,
  ) => {
    const results = customerIds.map((customerId) =>
      work(customerId).catch((error: unknown) => {
        log.error({ err: error, customer_id: customerId }, 'writing the reminder of a customer failed');
        return undefined;
      }),
    );
    return (await Promise.all(results)).filter((result) => result !== undefined);
  };
  for (const day of listDueDays(steps, today)) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const customers: string[] = await listDueCustomers(db, day, after, BATCH_SIZE);
      for (let i = 0; i < customers.length; i += GROUP_SIZE) {
        if (!isStillToday()) return remindedCount;
        const group = customers.slice(i, i + GROUP_SIZE);
        const reminders = await forEachLogged(group, (customerId) => findReminder(deps, customerId, today));
        if (await writeReminders(deps, reminders)) remindedCount += reminders.length;
        else {
          const written = await forEachLogged(
            reminders.map(({ customerId }) => customerId),
            async (customerId) => {
              // Read again: what another node wrote meanwhile is left out.
              const reminder = await findReminder(deps, customerId, today);
              return reminder && (await writeReminders(deps, [reminder])) ? reminder : undefined;
            },
          );
          remindedCount += written.length;
        }
      }
      after = customers.at(-1);
    }
  }
  return remindedCount;
}

const UNIQUE_VIOLATION = '23505';

type Reminder = { customerId: string; message: Parameters<typeof queueCustomerMessage<'reminder'>>[2] };

/** Finds what a customer is to be reminded of today. Returns undefined if there is nothing, or a reminder was written. */
async function findReminder(deps: ReminderDeps, customerId: string, today: Day) {
  const { shared } = deps.db;
  const [isWritten, due] = await Promise.all([
    hasMessageOn(shared, { customerId, template: 'reminder', day: today }),
    listInstallmentsAtStep(deps, customerId, today),
  ]);
  if (isWritten || due.length === 0) return undefined;
  const notified = await listNotifiedSubjects(shared, {
    customerId,
    template: 'reminder',
    subjects: due.map(toSubject),
  });
  const isNotified = (installment: InstallmentAtStep) =>
    notified.some(({ about, step }) => about === toSubject(installment) && step === installment.step);
  const toRemind = due.filter((installment) => !isNotified(installment));
  if (toRemind.length === 0) return undefined;
  const step = Math.max(...toRemind.map((installment) => installment.step));
  const message: Reminder['message'] = {
    template: 'reminder',
    data: { step, items: [] },
    subject: toRemind.map((installment) => ({
      about: toSubject(installment),
      step: installment.step,
      installmentId: installment.id,
    })),
    checkouts: [...new Set(toRemind.map(({ checkout_hash }) => checkout_hash))],
    step,
    day: today,
    now: deps.clock.now(),
  };
  return { customerId, message };
}

/** Writes all reminders, or none and returns false if another node wrote one of them meanwhile. */
async function writeReminders({ db }: ReminderDeps, reminders: readonly Reminder[]): Promise<boolean> {
  try {
    if (reminders.length > 0)
      await db.transaction(async (tx) => {
        for (const { customerId, message } of reminders) queueCustomerMessage(tx, customerId, message);
      });
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) return false;
    throw error;
  }
}

/**
 * Prepares a reminder right before it is sent: the installments that are still unpaid, with current amounts, and a Pix code for the first
 * one. Returns null if all are paid, and in quiet hours.
 */
export const prepareReminder =
  (deps: ReminderDeps): PrepareMessage<'reminder'> =>
  async ({ id, customerId, now }) => {
    if (customerId === null || !isReminderHour(now)) return null;
    const today = saoPauloDay(now.getTime());
    const [subjects, installments] = await Promise.all([
      listSubjects(deps.db.shared, customerId, id),
      listInstallmentsAtStep(deps, customerId, today),
    ]);
    const due = installments.filter((installment) =>
      subjects.some(({ about }) => about === toSubject(installment)),
    );
    const itemsByInstallment = await Promise.all(
      due.map((installment) => buildItem(deps, customerId, installment, now)),
    );
    const items = itemsByInstallment.flatMap((item) => item ?? []);
    if (items.length === 0) return null;
    // A Pix code for a debited installment would cancel its scheduled debit.
    const payableByPix = due[itemsByInstallment.findIndex((item) => item && !item.isDebited)];
    const code = payableByPix && (await createPixCode(deps, customerId, payableByPix.id));
    return {
      step: Math.max(...due.map(({ step }) => step)),
      items,
      ...(code !== undefined && { pixCode: code }),
    };
  };

/** Returns undefined if the installment is paid. */
async function buildItem(
  { db, findAutopay }: ReminderDeps,
  customerId: string,
  { id, checkout_hash, number, installments_total, merchant_name, due_on, step }: InstallmentAtStep,
  now: Date,
): Promise<TemplateData<'reminder'>['items'][number] | undefined> {
  const [installment, autopay] = await Promise.all([
    findDebt(db.shared, customerId, id, now.getTime()),
    findAutopay(db.shared, customerId, checkout_hash, now),
  ]);
  if (!installment || installment.debt.status === 'paid') return undefined;
  const debits = autopay?.installments;
  const debit = debits?.get(id);
  const isDebited = debit?.status === 'scheduled' || debit?.status === 'trying';
  return {
    merchant: merchant_name,
    number,
    installmentCount: installments_total,
    dueOn: due_on,
    // The bank debits the amount of the debit, whatever settles the installment today.
    owedCents: isDebited ? parseReais(debit.value)! : installment.debt.settleAmount,
    page: `compras/${checkout_hash}/${number}`,
    isLate: step > 0,
    isDebited,
  };
}

/** Creates today's Pix code. Returns undefined on failure: the message then only links to the installment. */
async function createPixCode({ pix, log }: ReminderDeps, customerId: string, installmentId: string) {
  try {
    const input = { customerId, installmentId, type: 'settle_with_penalty' } as const;
    const { charge } = await createCharge(pix, input, undefined);
    return charge.br_code ?? undefined;
  } catch (error) {
    if (!(error instanceof Problem)) log.warn({ err: error }, 'a reminder is sent without a Pix code');
    return undefined;
  }
}

/**
 * Prepares the message right before it is sent, with the current amount and a Pix code. Postpones it in quiet hours, and withdraws it if the
 * installment is paid or another debit is scheduled.
 */
export const prepareAutopayFailed =
  (deps: ReminderDeps): PrepareMessage<'autopay_failed'> =>
  async ({ customerId, data, now }) => {
    const { db, clock, findAutopay } = deps;
    if (!isReminderHour(now)) return new Postponement(nextReminderHour(now));
    const { checkoutHash, installmentId } = data;
    const [purchase, autopay] = await Promise.all([
      findPurchaseDebts(db, customerId!, checkoutHash, now.getTime()),
      findAutopay(db, customerId!, checkoutHash, now),
    ]);
    if (!purchase || purchase.isClosed) return null;
    // The customer authorised autopay again meanwhile.
    if (installmentId === null && autopay?.checkout.status === 'active') return null;
    const unpaid = purchase.installments.find(
      ({ id, debt }) => debt.status !== 'paid' && (installmentId === null || id === installmentId),
    );
    if (!unpaid) return null;
    const { id, number, debt } = unpaid;
    const debitStatus = autopay?.installments.get(id)?.status;
    if (debitStatus === 'scheduled' || debitStatus === 'trying') return null;
    // If autopay has ended, the next installment may be due later: a code of today would be useless.
    const code = installmentId === null ? undefined : await createPixCode(deps, customerId!, id);
    // Creating the code may have taken long.
    const afterCode = clock.now();
    if (!isReminderHour(afterCode)) return new Postponement(nextReminderHour(afterCode));
    return {
      ...data,
      merchant: purchase.merchantName,
      number,
      installmentCount: purchase.installments.length,
      dueOn: debt.dueOn,
      owedCents: debt.settleAmount,
      isLate: debt.status === 'overdue',
      ...(code !== undefined && { pixCode: code }),
    };
  };
