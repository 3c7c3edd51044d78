import { parseReais } from '#core/values/money.ts';
import {
  type CustomerTx,
  customerTransaction,
  forCustomer,
} from '#platform/database/customer-transaction.ts';
import { type Db, dryRun } from '#platform/database/db.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce } from '#platform/http/idempotency.ts';
import { listEndpoint } from '#platform/http/list.ts';
import {
  type AuditContext,
  createAuditContext,
  recordAuditEntry,
  withAuditedUpdate,
} from '#platform/privacy/audit-trail.ts';
import type { CreditDeps } from '../deps.ts';
import { returnClosed, returnProblems } from '../problems.ts';
import { findCheckout, findCustomerByCheckout } from '../purchases/reading-store.ts';
import { renderStaffCheckout } from '../purchases/render-checkout.ts';
import {
  approveReturn,
  createReturnAuditEntity,
  describeReturn,
  type ReturnDecision,
  refuseReturn,
} from '../returns/decide-return.ts';
import { renderReturn, renderStaffWaitingReturn } from '../returns/render-return.ts';
import { returnPurchase } from '../returns/return-purchase.ts';
import { ReturnRefusal, returnRoute, StaffWaitingReturn } from '../returns/schemas.ts';
import { findWaitingReturn, waitingReturnList } from '../returns/waiting-store.ts';
import { dryRunParameter, OperatorReturn, purchaseRoute, ReturnOrder } from '../schemas.ts';

export const getAdminReturns = (deps: CreditDeps) =>
  listEndpoint('GET /admin/returns', deps, waitingReturnList, {
    id: 'listReturnsThatWaited',
    summary: 'List returns that needed approval',
    description:
      'Lists the returns that merchants requested and that would have left the merchant owing more than `MERCHANT_FLOOR`.',
    cli: { columns: 'id, status, merchant.slug, checkout_hash, amount, asked_at, reason' },
    page: 'A page of returns.',
    item: StaffWaitingReturn,
    sum: 'Returned amount',
    render: (rows) => rows.map(renderStaffWaitingReturn),
  });

export const postAdminReturnsIdApprove = ({ db, clock, events, requestRefunds }: CreditDeps) =>
  endpoint('POST /admin/returns/:id/approve', {
    access: { scope: 'operator', role: 'finance' },
    id: 'approveReturn',
    summary: 'Approve a return',
    description:
      'Carries out the return immediately, as it was requested. If less of the purchase can still be returned, the request fails and the return stays `waiting`.',
    ...returnRoute,
    cli: {
      confirm: 'This returns the money of the return {id} to the customer.',
      done: '{amount} of purchase {checkout_hash} is returned.',
    },
    responses: { 200: { description: 'The completed return.', schema: StaffWaitingReturn } },
    problems: [...returnProblems, returnClosed],
    handler: (request) =>
      decideReturn(db, request.params.id, createAuditContext(request, clock.now()), (tx, decision, now) =>
        approveReturn(tx, decision, { events, now, requestRefunds }),
      ),
  });

export const postAdminReturnsIdRefuse = ({ db, clock }: CreditDeps) =>
  endpoint('POST /admin/returns/:id/refuse', {
    access: { scope: 'operator', role: 'finance' },
    id: 'refuseReturn',
    summary: 'Refuse a return',
    description: 'No money moves. The merchant sees the reason.',
    ...returnRoute,
    body: ReturnRefusal,
    cli: { done: 'Return {id} is refused.' },
    responses: { 200: { description: 'The refused return.', schema: StaffWaitingReturn } },
    problems: [returnClosed],
    handler(request) {
      const { reason } = request.body;
      return decideReturn(
        db,
        request.params.id,
        createAuditContext(request, clock.now(), reason),
        (tx, decision, now) => refuseReturn(tx, decision, reason, { now }),
      );
    },
  });

/** Approves or refuses a return, and records the decision in the audit trail. Returns undefined if no such return needed approval. */
async function decideReturn(
  db: Db,
  id: string,
  auditContext: AuditContext,
  decide: (tx: CustomerTx, decision: ReturnDecision, now: Date) => Promise<void>,
) {
  const customerId = (await findWaitingReturn(db, id))?.customer_id;
  if (customerId === undefined) return undefined;
  const { actor, now } = auditContext;
  return customerTransaction(db, customerId, (tx) =>
    withAuditedUpdate(tx, auditContext, { entity: createReturnAuditEntity(customerId), id }, () =>
      decide(tx, { id, staffUserId: actor.id }, now),
    ),
  );
}

export const postAdminCheckoutsHashReturns = (deps: CreditDeps) =>
  endpoint('POST /admin/checkouts/:hash/returns', {
    access: { scope: 'operator', role: 'finance' },
    id: 'returnCheckout',
    summary: 'Return a purchase, in part or in full',
    description:
      'Like `POST /merchant/checkouts/{hash}/returns` for merchants, but without the limit of `MERCHANT_FLOOR`. With `dry_run` nothing is written, and ' +
      'the response shows the result.',
    ...purchaseRoute,
    idempotent: true,
    query: dryRunParameter(),
    body: ReturnOrder,
    cli: {
      command: 'checkouts return',
      confirm: 'This returns the purchase {hash}, or the given amount of it. It cannot be undone.',
      prints: ['id'],
      done: 'Returned {amount}: {cashback} converted to cashback.',
    },
    responses: {
      200: { description: 'The result of a dry run.', schema: OperatorReturn },
      201: { description: 'The return.', schema: OperatorReturn },
    },
    approval: {
      kind: 'return',
      describe: (request) =>
        describeReturn(
          deps,
          {
            hash: request.params.hash,
            reason: request.body.reason,
            amount: request.body.amount === undefined ? undefined : parseReais(request.body.amount)!,
            authorId: request.caller.staffUserId,
          },
          deps.clock.now(),
        ),
    },
    problems: returnProblems,
    async handler(request, reply) {
      const { db, clock, events, requestRefunds, merchants, publicUrl } = deps;
      const { hash } = request.params;
      const { amount, reason } = request.body;
      const customerId = await findCustomerByCheckout(db, hash);
      if (customerId === undefined) throw request.notFound();
      const now = clock.now();
      const auditContext = createAuditContext(request, now, reason);
      const order = {
        customerId,
        hash,
        reason,
        authorId: auditContext.actor.id,
        amount: amount === undefined ? undefined : parseReais(amount)!,
      };
      const returnAndRender = async (tx: CustomerTx) => {
        const completedReturn = await returnPurchase(tx, order, { events, now, requestRefunds });
        const returnView = renderReturn(completedReturn, order);
        await recordAuditEntry(
          tx,
          auditContext,
          { kind: 'return', id: completedReturn.id },
          { checkout_hash: hash, ...returnView },
        );
        const record = await findCheckout(tx, customerId, hash, merchants);
        return {
          ...returnView,
          checkout: renderStaffCheckout(record!, { now: now.getTime(), publicUrl: publicUrl() }),
        };
      };
      const transactions = forCustomer(db, customerId);
      if (request.query.dry_run === 'true')
        return reply.code(200).send(await dryRun(transactions, returnAndRender));
      return reply
        .code(201)
        .send(await createOnce(transactions, { request, reply, now }, returnAndRender, [hash, request.body]));
    },
  });
