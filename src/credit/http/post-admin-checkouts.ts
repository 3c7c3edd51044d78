import { findCustomerId, nameCustomers } from '#customers';
import { type CustomerTx, forCustomer } from '#platform/database/customer-transaction.ts';
import type { Queryable } from '#platform/database/db.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import { changeBy, recordCreation } from '#platform/privacy/trail.ts';
import type { CreditDeps } from '../deps.ts';
import { purchaseProblems } from '../problems.ts';
import { approvePurchase } from '../purchases/approve-purchase.ts';
import type { CheckoutRecord } from '../purchases/checkout-record.ts';
import { checkoutRecordOf, openCheckout } from '../purchases/open-checkout.ts';
import type { Order } from '../purchases/plan-purchase.ts';
import { renderForOperator } from '../purchases/render-checkout.ts';
import { CheckoutOrder, OperatorCheckoutShown } from '../schemas.ts';

export const postAdminCheckouts = ({
  db,
  clock,
  events,
  publicUrl,
  lateEntryMs,
  maxWeeklyRate,
  cashbackDebt,
}: CreditDeps) =>
  endpoint('POST /admin/checkouts', {
    access: { scope: 'operator', role: 'finance' },
    id: 'createCheckout',
    summary: 'Sell something on credit to a customer',
    description:
      'The total, interest included, must be within the available limit, the customer not overdue, and their cashback not below zero. With `dry_run` ' +
      'nothing is written: the answer tells the schedule, the total cost and the CET.',
    headers: idempotency.header,
    body: CheckoutOrder,
    answers: {
      200: { description: 'A dry run: what it would come to.', schema: OperatorCheckoutShown },
      201: {
        description: 'The purchase.',
        schema: OperatorCheckoutShown,
        headers: {
          Location: 'Address of the purchase at this door.',
          ...idempotency.replayed,
        },
      },
    },
    problems: [...idempotency.problems, ...purchaseProblems],
    async handler(request, reply) {
      const { dry_run, ...order } = request.body as Order & { dry_run?: boolean };
      const now = clock.now();
      const view = { now: now.getTime(), publicUrl: publicUrl() };
      // The verb refuses an unknown phone.
      const customer = (await findCustomerId(db, order.customer)) ?? order.customer;
      const buying = forCustomer(db, customer);
      const consider = (tx: CustomerTx) =>
        approvePurchase(tx, { ...order, customer }, { now, lateEntryMs, maxWeeklyRate, cashbackDebt });
      const shownTo = async (tx: Queryable, record: CheckoutRecord) => {
        const [shown] = await nameCustomers(tx, [renderForOperator(record, view)]);
        return shown!;
      };
      if (dry_run)
        return reply.code(200).send(await shownTo(db, checkoutRecordOf(await buying.transaction(consider))));

      const change = changeBy(request, now);
      const open = async (tx: CustomerTx) => {
        const shown = await shownTo(tx, await openCheckout(tx, await consider(tx), { events, now }));
        const { customer_name: _, ...recorded } = shown;
        await recordCreation(tx, change, { kind: 'checkout', id: shown.hash! }, recorded);
        return shown;
      };
      const checkout = await createOnce(buying, { request, reply, now }, open);
      return reply.code(201).header('location', `/admin/checkouts/${checkout.hash}`).send(checkout);
    },
  });
