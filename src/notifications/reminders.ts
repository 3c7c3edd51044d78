import { addDays, type Day, saoPauloDay } from '#core/values/day.ts';
import { parseReais } from '#core/values/money.ts';
import {
  type DueInstallment,
  type FindAutopay,
  findDebt,
  findPurchaseDebts,
  listDueCustomerIds,
  listDueInstallments,
} from '#credit';
import {
  type CustomerMessage,
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
import { findNextReminderTime, findStep, isReminderHour, listDueDays } from './reminder-schedule.ts';

const BATCH_SIZE = 500;
/** Number of customers whose data is read concurrently, so that queries share round trips, and whose reminders are one transaction. */
const GROUP_SIZE = 50;

export type ReminderDeps = Pick<Deps, 'db' | 'clock' | 'log'> & {
  /** The days on which reminders are sent, counted from the due day: -3 is three days before it. */
  steps: readonly number[];
  pix: Pix;
  findAutopay: FindAutopay;
};

type InstallmentAtStep = DueInstallment & { step: number };

/** Builds the key by which reminders are deduplicated: an installment and its due day, which an extension changes. */
export const toSubjectKey = ({ id, effective_due_on }: DueInstallment): string => `${id} ${effective_due_on}`;

/** Lists a customer's installments that are at a reminder step today, longest due first. */
async function listInstallmentsAtStep(
  { db, steps }: Pick<ReminderDeps, 'db' | 'steps'>,
  customerId: string,
  today: Day,
) {
  const maxDaysBeforeDue = Math.max(0, ...steps.map((step) => -step));
  const [dueInstallments, { reminders_before_due }] = await Promise.all([
    listDueInstallments(db.shared, customerId, addDays(today, maxDaysBeforeDue)),
    findPreferences(db.shared, customerId),
  ]);
  return dueInstallments.flatMap((installment) => {
    const step = findStep(steps, installment, today);
    if (step === null || (step < 0 && !reminders_before_due)) return [];
    // A step that was reached before the purchase was recorded gets no reminder. The days of a step are counted as in `findStep`.
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
  const { clock } = deps;
  const today = saoPauloDay(clock.now().getTime());
  let remindedCount = 0;
  for await (const customerIds of listDueGroups(deps, today)) {
    // A reset of the sandbox may turn the clock back while this runs.
    if (saoPauloDay(clock.now().getTime()) !== today) break;
    remindedCount += await remindGroup(deps, customerIds, today);
  }
  return remindedCount;
}

/** Yields the ids of customers who may have installments at a step today, in groups. A customer may be in several groups. */
async function* listDueGroups({ db, steps }: ReminderDeps, today: Day): AsyncGenerator<string[]> {
  for (const day of listDueDays(steps, today)) {
    let afterId: string | undefined = ''; // from the first customer
    while (afterId !== undefined) {
      const customerIds: string[] = await listDueCustomerIds(db, day, afterId, BATCH_SIZE);
      for (let i = 0; i < customerIds.length; i += GROUP_SIZE) yield customerIds.slice(i, i + GROUP_SIZE);
      afterId = customerIds.at(-1);
    }
  }
}

/** Writes the reminders of a group in one transaction or, if another node has written one of them, each in a transaction of its own. */
async function remindGroup(deps: ReminderDeps, customerIds: readonly string[], today: Day): Promise<number> {
  const buildReminderFor = (customerId: string) => buildReminder(deps, customerId, today);
  const reminders = await mapOrLogFailures(deps, customerIds, buildReminderFor);
  if (await writeReminders(deps, reminders)) return reminders.length;
  const unwrittenIds = reminders.map(({ customerId }) => customerId);
  const writtenReminders = await mapOrLogFailures(deps, unwrittenIds, async (customerId) => {
    const reminder = await buildReminderFor(customerId);
    return reminder && (await writeReminders(deps, [reminder])) ? reminder : undefined;
  });
  return writtenReminders.length;
}

/** Calls `getResult` for each customer, and returns the results that are not undefined. Logs the failures, so that the others continue. */
async function mapOrLogFailures<T>(
  { log }: ReminderDeps,
  customerIds: readonly string[],
  getResult: (customerId: string) => Promise<T | undefined>,
): Promise<T[]> {
  const results = customerIds.map((customerId) =>
    getResult(customerId).catch((error: unknown) => {
      log.error({ err: error, customer_id: customerId }, 'writing the reminder of a customer failed');
      return undefined;
    }),
  );
  return (await Promise.all(results)).filter((result) => result !== undefined);
}

const UNIQUE_VIOLATION = '23505';

type Reminder = { customerId: string; message: CustomerMessage<'reminder'> };

/** Builds today's reminder of a customer. Returns undefined if no reminder is due, or today's was already written. */
async function buildReminder(
  deps: ReminderDeps,
  customerId: string,
  today: Day,
): Promise<Reminder | undefined> {
  const { shared } = deps.db;
  const [isReminderWritten, installments] = await Promise.all([
    hasMessageOn(shared, { customerId, template: 'reminder', day: today }),
    listInstallmentsAtStep(deps, customerId, today),
  ]);
  if (isReminderWritten || installments.length === 0) return undefined;
  const notifiedSubjects = await listNotifiedSubjects(shared, {
    customerId,
    template: 'reminder',
    keys: installments.map(toSubjectKey),
  });
  const isNotified = (installment: InstallmentAtStep) =>
    notifiedSubjects.some(({ key, step }) => key === toSubjectKey(installment) && step === installment.step);
  const unnotifiedInstallments = installments.filter((installment) => !isNotified(installment));
  if (unnotifiedInstallments.length === 0) return undefined;
  const step = Math.max(...unnotifiedInstallments.map((installment) => installment.step));
  const message: CustomerMessage<'reminder'> = {
    template: 'reminder',
    data: { step, items: [] }, // the items are built when the message is sent
    subjectKey: unnotifiedInstallments.map((installment) => ({
      key: toSubjectKey(installment),
      step: installment.step,
      installmentId: installment.id,
    })),
    checkouts: [...new Set(unnotifiedInstallments.map(({ checkout_hash }) => checkout_hash))],
    step,
    day: today,
    now: deps.clock.now(),
  };
  return { customerId, message };
}

/** Writes all reminders and returns true. Writes none and returns false if another node has written one of them in the meantime. */
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
 * Prepares a reminder right before it is sent: it names the installments that are still unpaid, with current amounts, and has a Pix code
 * for the first of them that is not debited. Returns null if all are paid, and in quiet hours: a later reminder then names them.
 */
export const createReminderPreparer =
  (deps: ReminderDeps): PrepareMessage<'reminder'> =>
  async ({ id, customerId, now }) => {
    if (customerId === null || !isReminderHour(now)) return null;
    const today = saoPauloDay(now.getTime());
    const [subjects, installments] = await Promise.all([
      listSubjects(deps.db.shared, customerId, id),
      listInstallmentsAtStep(deps, customerId, today),
    ]);
    const remindedInstallments = installments.filter((installment) =>
      subjects.some(({ key }) => key === toSubjectKey(installment)),
    );
    const candidates = await Promise.all(
      remindedInstallments.map(async (installment) => ({
        installment,
        item: await buildItem(deps, customerId, installment, now),
      })),
    );
    const items = candidates.flatMap(({ item }) => item ?? []);
    if (items.length === 0) return null;
    // A Pix code for a debited installment would cancel its scheduled debit.
    const firstPayableByPix = candidates.find(({ item }) => item && !item.isDebited);
    const pixCode =
      firstPayableByPix && (await createPixCode(deps, customerId, firstPayableByPix.installment.id));
    return {
      step: Math.max(...remindedInstallments.map(({ step }) => step)),
      items,
      ...(pixCode !== undefined && { pixCode }),
    };
  };

/** Builds the item of an installment in a reminder. Returns undefined if it is paid. */
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
  const debit = autopay?.installments.get(id);
  const isDebited = debit?.status === 'scheduled' || debit?.status === 'trying';
  return {
    merchant: merchant_name,
    number,
    installmentCount: installments_total,
    dueOn: due_on,
    // The bank debits the amount that was requested, even if another amount would settle the installment today.
    owedCents: isDebited ? parseReais(debit.value)! : installment.debt.settleAmount,
    page: `compras/${checkout_hash}/${number}`,
    isLate: step > 0,
    isDebited,
  };
}

/** Creates today's Pix code. Returns undefined on failure; then the message only has a link to the installment. */
async function createPixCode({ pix, log }: ReminderDeps, customerId: string, installmentId: string) {
  try {
    const input = { customerId, installmentId, type: 'settle_with_penalty' } as const;
    const { charge } = await createCharge(pix, input);
    return charge.br_code ?? undefined;
  } catch (error) {
    if (!(error instanceof Problem)) log.warn({ err: error }, 'a reminder is sent without a Pix code');
    return undefined;
  }
}

/**
 * Prepares the message about a failed debit right before it is sent, with the current amount and a Pix code. Postpones it in quiet hours,
 * and withdraws it if the installment is paid or another debit is scheduled.
 */
export const createAutopayFailedPreparer =
  (deps: ReminderDeps): PrepareMessage<'autopay_failed'> =>
  async ({ customerId, data, now }) => {
    const { db, clock, findAutopay } = deps;
    if (!isReminderHour(now)) return new Postponement(findNextReminderTime(now));
    // `installmentId` is null if autopay of the purchase has ended. Otherwise the debit of that installment has failed.
    const { checkoutHash, installmentId } = data;
    const [purchase, autopay] = await Promise.all([
      findPurchaseDebts(db, customerId!, checkoutHash, now.getTime()),
      findAutopay(db, customerId!, checkoutHash, now),
    ]);
    if (!purchase || purchase.isClosed) return null;
    // The customer has authorised autopay again.
    if (installmentId === null && autopay?.checkout.status === 'active') return null;
    const unpaidInstallment = purchase.installments.find(
      ({ id, debt }) => debt.status !== 'paid' && (installmentId === null || id === installmentId),
    );
    if (!unpaidInstallment) return null;
    const { id, number, debt } = unpaidInstallment;
    const debitStatus = autopay?.installments.get(id)?.status;
    if (debitStatus === 'scheduled' || debitStatus === 'trying') return null;
    // If autopay has ended, the next installment may be due on a later day, when today's code is no longer valid.
    const pixCode = installmentId === null ? undefined : await createPixCode(deps, customerId!, id);
    // Quiet hours may have started while the code was created.
    const sendTime = clock.now();
    if (!isReminderHour(sendTime)) return new Postponement(findNextReminderTime(sendTime));
    return {
      ...data,
      merchant: purchase.merchantName,
      number,
      installmentCount: purchase.installments.length,
      dueOn: debt.dueOn,
      owedCents: debt.settleAmount,
      isLate: debt.status === 'overdue',
      ...(pixCode !== undefined && { pixCode }),
    };
  };
