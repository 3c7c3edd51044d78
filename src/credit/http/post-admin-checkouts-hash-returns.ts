import { parseReais } from '#core/money.ts';
import { type CustomerTx, forCustomer } from '#platform/database/customer-transaction.ts';
import { rehearse } from '#platform/database/rehearse.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import { changeBy, recordCreation } from '#platform/privacy/trail.ts';
import type { CreditDeps } from '../deps.ts';
import { returnProblems } from '../problems.ts';
import { findCustomerOf } from '../purchases/reading-store.ts';
import { renderForOperator } from '../purchases/render-checkout.ts';
import { readReturned, renderReturn } from '../returns/render-return.ts';
import { returnPurchase } from '../returns/return-purchase.ts';
import { dryRunParameter, OperatorReturn, ofPurchase, ReturnOrder } from '../schemas.ts';

export const postAdminCheckoutsHashReturns = (credit: CreditDeps) =>
  endpoint('POST /admin/checkouts/:hash/returns', {
    access: { scope: 'operator', role: 'finance' },
    id: 'returnCheckout',
    summary: 'Return some or all of a purchase',
    description:
      'The same as a merchant does with its own sales. With `dry_run` nothing is written: the answer says what it would do.',
    ...ofPurchase,
    headers: idempotency.header,
    query: dryRunParameter(),
    body: ReturnOrder,
    answers: {
      200: { description: 'A dry run: what it would do.', schema: OperatorReturn },
      201: { description: 'What came of it.', schema: OperatorReturn, headers: idempotency.replayed },
    },
    problems: [...returnProblems, ...idempotency.problems],
    async handler(request, reply) {
      const { db, clock, events, requestRefunds, merchants, publicUrl } = credit;
      const { hash } = request.params;
      const { amount, reason } = request.body;
      const customerId = await findCustomerOf(db, hash);
      if (customerId === undefined) throw request.notFound();
      const now = clock.now();
      const change = changeBy(request, now, reason);
      const order = {
        customerId,
        hash,
        reason,
        by: change.actor.id,
        amount: amount === undefined ? undefined : parseReais(amount)!,
      };
      const work = async (tx: CustomerTx) => {
        const made = await returnPurchase(tx, order, { events, now, requestRefunds });
        const shown = renderReturn(made, order);
        await recordCreation(tx, change, { kind: 'return', id: made.id }, { checkout_hash: hash, ...shown });
        const file = await readReturned(tx, order, merchants);
        return {
          ...shown,
          checkout: renderForOperator(file, { now: now.getTime(), publicUrl: publicUrl() }),
        };
      };
      const transactions = forCustomer(db, customerId);
      if (request.query.dry_run === 'true') return reply.code(200).send(await rehearse(transactions, work));
      return reply
        .code(201)
        .send(await createOnce(transactions, { request, reply, now }, work, [hash, request.body]));
    },
  });
