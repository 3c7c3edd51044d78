import { parseReais } from '#core/money.ts';
import { findName } from '#customers';
import { type CustomerTx, forCustomer } from '#platform/database/customer-transaction.ts';
import { rehearse } from '#platform/database/rehearse.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import type { CreditDeps } from '../deps.ts';
import { byCaller, findSellers, isClerk, ownersOnly } from '../offers/made-by.ts';
import { returnProblems, returnWaiting } from '../problems.ts';
import { findSeller } from '../purchases/reading-store.ts';
import { renderSale } from '../purchases/render-sale.ts';
import { askReturn, rehearseReturn } from '../returns/ask-return.ts';
import { readReturned, renderPreview, renderReturn, renderWaiting } from '../returns/render-return.ts';
import type { MadeReturn } from '../returns/return-purchase.ts';
import { ReturnPreview, WaitingAnswer } from '../returns/schemas.ts';
import { dryRunParameter, MerchantReturn, ofSale, ReturnOrder } from '../schemas.ts';

export const postMerchantCheckoutsHashReturns = (credit: CreditDeps) =>
  endpoint('POST /merchant/checkouts/:hash/returns', {
    access: { scope: 'merchant', member: 'clerk' },
    id: 'returnSale',
    summary: 'Take back some or all of what was sold',
    description:
      'From now on the purchase is as if it had been for that much less. What was paid beyond that pays its other ' +
      'installments, the earliest first; what is left goes back to the customer. Pending PIX charges are cancelled. A return that ' +
      'would leave you owing more than you may waits for the operator, and nothing moves until then. With `dry_run` nothing is ' +
      'written: the answer says what it would do. A clerk needs `may_return`.',
    ...ofSale,
    headers: idempotency.header,
    query: dryRunParameter(),
    body: ReturnOrder,
    answers: {
      200: { description: 'A dry run: what it would do.', schema: ReturnPreview },
      201: { description: 'What came of it.', schema: MerchantReturn, headers: idempotency.replayed },
      202: {
        description: 'It waits for the operator.',
        schema: WaitingAnswer,
        headers: idempotency.replayed,
      },
    },
    problems: [...returnProblems, returnWaiting, ...idempotency.problems],
    async handler(request, reply) {
      const { db, clock, merchants, publicUrl } = credit;
      const { hash } = request.params;
      const { amount, reason } = request.body;
      const { merchantId, keyId, member } = request.caller;
      if (isClerk(request.caller) && !member!.mayReturn) throw ownersOnly();
      const seller = await findSeller(db, hash);
      if (seller?.merchant_id !== merchantId) throw request.notFound();
      const now = clock.now();
      const order = {
        customerId: seller.customer_id,
        hash,
        reason,
        by: member?.id ?? keyId,
        amount: amount === undefined ? undefined : parseReais(amount)!,
      };
      const show = async (tx: CustomerTx, made: MadeReturn) => {
        const file = await readReturned(tx, order, merchants);
        const name = await findName(tx, order.customerId);
        const by = (await findSellers(tx, [file.offer_id]))(file.offer_id);
        const checkout = renderSale(file, name, { now: now.getTime(), publicUrl: publicUrl(), by });
        return { ...renderReturn(made, order, byCaller(request.caller)), checkout };
      };
      const transactions = forCustomer(db, order.customerId);
      if (request.query.dry_run === 'true') {
        const preview = await rehearse(transactions, async (tx) => {
          const asked = await rehearseReturn(tx, order, { ...credit, now });
          const { id: _, ...shown } = await show(tx, asked.made);
          return { ...shown, ...renderPreview(asked) };
        });
        return reply.code(200).send(preview);
      }
      const work = async (tx: CustomerTx) => {
        const asked = await askReturn(tx, order, { ...credit, now });
        return 'made' in asked
          ? show(tx, asked.made)
          : { return: renderWaiting(asked.waiting, byCaller(request.caller)) };
      };
      const fingerprint = [hash, request.body];
      const answer = await createOnce(transactions, { request, reply, now }, work, fingerprint);
      if ('return' in answer) return reply.code(202).send(answer);
      return reply.code(201).send(answer);
    },
  });
