import type { Static } from 'typebox';
import { addDays, type Day, type Instant, saoPauloDay } from '#core/values/day.ts';
import { type Page, toPageRange } from '#platform/http/pagination.ts';
import type { CreditDeps } from '../deps.ts';
import type { DuePayments, STATUSES } from '../schemas.ts';
import { type CheckoutRecordRow, toCheckoutRecord, withCurrentMerchants } from './checkout-record.ts';
import { listCheckouts, listDueCheckouts, toStatusRange } from './reading-store.ts';
import { computeDebtNow } from './receipt.ts';
import { type AutopayView, renderCheckoutItem, renderInstallment } from './render-checkout.ts';

const DUE_WITHIN_DAYS = 7;
const MAX_DUE_CHECKOUTS = 10;

/** Returns a page of a customer's purchases, newest first, and the total count. */
export async function listOwnCheckouts(
  { db, clock, publicUrl, merchants }: CreditDeps,
  customerId: string,
  { status, ...page }: Page & { status?: (typeof STATUSES)[number] | undefined },
) {
  const now = clock.now().getTime();
  const today = saoPauloDay(now);
  const { checkouts, total } = await listCheckouts(
    db.shared,
    customerId,
    toStatusRange(status, today),
    today,
    toPageRange(page),
  );
  const renderContext = { now, publicUrl: publicUrl() };
  const checkoutRows = await withCurrentMerchants(checkouts, merchants);
  return {
    total,
    data: checkoutRows.map((checkout) => renderCheckoutItem(checkout, renderContext)),
  };
}

/** Lists the installments of a customer that are late or due within a week, of a limited number of purchases. */
export async function listDuePayments(
  { db, clock, merchants, findAutopay }: CreditDeps,
  customerId: string,
): Promise<Static<typeof DuePayments>> {
  const now = clock.now();
  const until = addDays(saoPauloDay(now.getTime()), DUE_WITHIN_DAYS);
  const { checkouts, ...counts } = await listDueCheckouts(db.shared, customerId, until, MAX_DUE_CHECKOUTS);
  const [checkoutRows, autopays] = await Promise.all([
    withCurrentMerchants<CheckoutRecordRow>(checkouts, merchants),
    Promise.all(checkouts.map(({ hash }) => findAutopay(db.shared, customerId, hash, now))),
  ]);
  const data = checkoutRows.flatMap((row, i) =>
    renderDueInstallments(row, autopays[i], { now: now.getTime(), until }),
  );
  data.sort((a, b) => a.installment.due_on.localeCompare(b.installment.due_on));
  return { data, more_checkouts: counts.dueCount - checkouts.length, unpaid_checkouts: counts.unpaidCount };
}

/** Renders the installments of a purchase that are late or due by a day. */
function renderDueInstallments(
  row: CheckoutRecordRow,
  autopay: AutopayView | undefined,
  { now, until }: { now: Instant; until: Day },
) {
  const { hash, merchant_name: merchant, terms, installments } = toCheckoutRecord(row);
  const purchaseFields = { checkout_hash: hash, merchant, autopay: autopay?.checkout ?? null };
  return installments
    .map(({ debtFacts, ...fields }) =>
      renderInstallment(fields, computeDebtNow(debtFacts, now), terms, autopay),
    )
    .filter(({ status, due_on }) => status === 'overdue' || (status === 'open' && due_on <= until))
    .map((installment) => ({ ...purchaseFields, installment }));
}
