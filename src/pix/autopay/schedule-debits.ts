import { randomBytes } from 'node:crypto';
import { addDays, type Day, daysBetween, endOfDay, saoPauloDay } from '#core/day.ts';
import { cents } from '#core/money.ts';
import { findPurchaseDebts, type PurchaseDebts } from '#credit';
import { lockCustomerById } from '#customers';
import { type CustomerTx, customerTransaction } from '#platform/database/customer-transaction.ts';
import { newId } from '#platform/ids.ts';
import { cycleOf, debitExpiry, LATEST_DAYS, nextCheck } from '../debits/debit-days.ts';
import { submitDebit } from '../debits/submit-debit.ts';
import { eachAtPsp } from '../each-at-psp.ts';
import type { Pix } from '../pix.ts';
import { PspRefused } from '../psp/index.ts';
import {
  type AuthorisationRow,
  findAuthorisation,
  listToLookAt,
  markLookOn,
} from '../store/authorisations.ts';
import { type ChargeRow, insertCharge } from '../store/charges.ts';
import { type DebitRow, insertDebit, listCodedInstallments, listTakenCycles } from '../store/debits.ts';
import { endIn, NOTHING_OWED } from './end-authorisation.ts';

/** The most that one run looks at; the next is a minute away. */
const BATCH_SIZE = 500;

/** Looks at the installments of every authorisation whose day has come, and asks for debits. */
export async function scheduleDebits(pix: Pix): Promise<void> {
  const today = saoPauloDay(pix.clock.now().getTime());
  const authorisations = await listToLookAt(pix.db, today, BATCH_SIZE);
  await eachAtPsp(pix, authorisations, async (authorisation) => {
    const written = await customerTransaction(pix.db, authorisation.customer_id, (tx) =>
      writeDebits(tx, pix, authorisation),
    );
    pix.crash('after-debit-written');
    for (const { charge, debit } of written)
      try {
        await submitDebit(pix, charge, debit, authorisation.rec_id!, { inDoubt: false });
      } catch (error) {
        if (!(error instanceof PspRefused)) throw error;
        pix.log.error({ err: error, txid: charge.txid }, 'the PSP refused a debit');
      }
  });
}

type ScheduledDebit = { charge: ChargeRow; debit: DebitRow };

/**
 * Writes the debits that are to be asked for today. An installment that was extended into the week of another is paid by code: a
 * week has one debit. While a code can be paid nothing is debited, and what was withdrawn must be gone at the PSP first.
 */
async function writeDebits(tx: CustomerTx, pix: Pix, known: AuthorisationRow): Promise<ScheduledDebit[]> {
  const { customer_id: customerId, checkout_hash: hash } = known;
  const now = pix.clock.now();
  const today = saoPauloDay(now.getTime());
  await lockCustomerById(tx, customerId);
  const authorisation = (await findAuthorisation(tx, customerId, known.id))!;
  if (authorisation.status !== 'active') return [];
  const purchase = await findPurchaseDebts(tx, customerId, hash, now.getTime());
  if (!purchase || purchase.isOver) {
    await endIn(tx, pix, authorisation, NOTHING_OWED, now);
    return [];
  }
  const startsOn = authorisation.starts_on as Day;
  const inTime = purchase.installments
    .filter(({ debt }) => debt.dueOn >= startsOn && debt.dueOn <= authorisation.ends_on)
    .map((owed) => ({ ...owed, cycle: cycleOf(startsOn, owed.debt.dueOn) }));
  const taken = await listTakenCycles(tx, customerId, authorisation.id);
  const coded = await listCodedInstallments(tx, customerId, hash, now);
  const written: ScheduledDebit[] = [];
  for (const { id, debt, cycle, settlesOnDueDay } of inTime) {
    const isDue = isInWindow(debt, today, pix.autopay.leadDays);
    const others = inTime.filter((other) => other.cycle === cycle && other.id !== id);
    const isCrowded = debt.extensions > 0 && others.length > 0;
    if (!isDue || isCrowded || taken.includes(cycle) || coded.includes(id) || settlesOnDueDay === 0) continue;
    const charge = insertCharge(tx, {
      customer_id: customerId,
      id: newId('pix', now),
      installment_id: id,
      checkout_hash: hash,
      type: 'settle',
      value_cents: cents(settlesOnDueDay),
      priced_on: debt.effectiveDueOn,
      txid: randomBytes(16).toString('hex'),
      pix_key: pix.key,
      expiration_seconds: 1,
      created_at: now,
      expires_at: debitExpiry(debt.effectiveDueOn),
      authorisation_id: authorisation.id,
      held_until: new Date(endOfDay(debt.effectiveDueOn)),
    });
    const debit: DebitRow = {
      customer_id: customerId,
      charge_id: charge.id,
      authorisation_id: authorisation.id,
      checkout_hash: hash,
      installment_id: id,
      cycle,
      due_on: debt.dueOn,
      attempt_on: debt.effectiveDueOn,
      refusals: 0,
      reason: null,
      open: true,
      check_at: nextCheck(debt.effectiveDueOn, now),
    };
    await insertDebit(tx, debit);
    written.push({ charge, debit });
  }
  await markLookOn(tx, authorisation, nextLook(inTime, coded, { today, leadDays: pix.autopay.leadDays }));
  return written;
}

type InstallmentDebt = PurchaseDebts['installments'][number];

function isInWindow({ status, dueOn }: InstallmentDebt['debt'], today: Day, leadDays: number): boolean {
  const days = daysBetween(today, dueOn);
  return status === 'open' && days >= LATEST_DAYS && days <= leadDays;
}

/**
 * The day of the next check. Today, while a code prevents a debit. Else the day of the next debit, or the last day on which one can be
 * withdrawn: the purchase may have been written off.
 */
function nextLook(
  owed: readonly InstallmentDebt[],
  coded: readonly string[],
  { today, leadDays }: { today: Day; leadDays: number },
): Day {
  if (owed.some(({ id, debt }) => isInWindow(debt, today, leadDays) && coded.includes(id))) return today;
  const days = owed
    .filter(({ debt }) => debt.status !== 'paid')
    .flatMap(({ debt }) => [addDays(debt.dueOn, -leadDays), addDays(debt.dueOn, -1)])
    .filter((day) => day > today);
  return days.toSorted()[0] ?? addDays(today, 1);
}
