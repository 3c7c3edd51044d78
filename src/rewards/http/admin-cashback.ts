import { cents, parseReais } from '#core/values/money.ts';
import { addCustomerNames, findCustomerId, findCustomerName } from '#customers';
import { type CustomerTx, forCustomer } from '#platform/database/customer-transaction.ts';
import { buildAmountChange } from '#platform/http/approval.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce } from '#platform/http/idempotency.ts';
import { listEndpoint } from '#platform/http/list.ts';
import { createAuditContext, withAuditedUpdate } from '#platform/privacy/audit-trail.ts';
import { adjustCashback } from '../cashback-account.ts';
import { adjustedAlready, cashbackTooLittle } from '../problems.ts';
import { movementList } from '../reading-store.ts';
import { createCashbackAuditEntity, findCashbackForStaff, renderStaffMovement } from '../render.ts';
import {
  CashbackAdjustment,
  customerRoute,
  StaffCashback,
  StaffCashbackItem,
  StaffCashbackWithName,
} from '../schemas.ts';
import type { RewardsDeps } from '../settings.ts';

export const getAdminCashback = (deps: RewardsDeps) =>
  listEndpoint('GET /admin/cashback', deps, movementList, {
    id: 'listCashbackOfAll',
    summary: 'List cashback entries',
    description: 'Entries of all customers. An expiry is listed within an hour after it takes effect.',
    cli: { columns: 'occurred_at, customer_id, kind, amount, balance_after, description' },
    page: 'A page of entries.',
    item: StaffCashbackItem,
    sum: 'Sum of the entries',
    render: (rows) => addCustomerNames(deps.db, rows.map(renderStaffMovement)),
  });

export const getAdminCashbackId = ({ db, clock }: RewardsDeps) =>
  endpoint('GET /admin/cashback/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getCashbackOfCustomer',
    summary: 'Get the cashback of a customer',
    ...customerRoute,
    responses: { 200: { description: 'The balance and its expiry days.', schema: StaffCashbackWithName } },
    async handler(request) {
      const id = await findCustomerId(db, request.params.id);
      const customer_name = id === undefined ? undefined : await findCustomerName(db, id);
      if (id === undefined || customer_name === undefined) throw request.notFound();
      return { ...(await findCashbackForStaff(db, id, clock.now())), customer_name };
    },
  });

export const postAdminCashbackIdAdjust = ({ db, clock, events }: RewardsDeps) =>
  endpoint('POST /admin/cashback/:id/adjust', {
    access: { scope: 'operator', role: 'finance' },
    id: 'adjustCashback',
    summary: 'Adjust the cashback of a customer',
    description:
      'Credited cashback is valid for 180 days. At most the balance can be debited. The reason is shown to the customer. The opposite amount undoes an adjustment.',
    ...customerRoute,
    idempotent: true,
    body: CashbackAdjustment,
    cli: {
      confirm: 'This adjusts the cashback of {id} by {amount}.',
      prints: ['available'],
      done: 'Cashback adjusted.',
      examples: [
        'semana cashback adjust +5511987650001 --amount 5.00 --reason "Desculpe pelo transtorno" --reference TICKET-1234',
      ],
    },
    responses: {
      201: { description: 'The balance after the adjustment.', schema: StaffCashback },
    },
    approval: {
      kind: 'cashback_adjustment',
      async describe({ params, body }) {
        const id = await findCustomerId(db, params.id);
        if (id === undefined) return undefined;
        const amount = parseReais(body.amount)!;
        const available = parseReais((await findCashbackForStaff(db, id, clock.now())).available)!;
        return {
          amount,
          subject: {
            kind: 'customer',
            id,
            name: (await findCustomerName(db, id)) ?? null,
            isPerson: true,
          },
          change: [buildAmountChange('cashback', available, cents(available + amount))],
        };
      },
    },
    problems: [cashbackTooLittle, adjustedAlready],
    async handler(request, reply) {
      const now = clock.now();
      // An empty id finds no customer, so the request is rejected with 404 below.
      const customerId = (await findCustomerId(db, request.params.id)) ?? '';
      const { amount, reason, reference = null } = request.body;
      const auditContext = createAuditContext(request, now, reason);
      const amountCents: number = parseReais(amount)!;
      const adjustment = { customer: customerId, amountCents, reason, reference };
      const adjust = async (tx: CustomerTx) => {
        const auditTarget = { entity: createCashbackAuditEntity(now), id: customerId };
        const adjustedCashback = await withAuditedUpdate(tx, auditContext, auditTarget, () =>
          adjustCashback(tx, adjustment, { events, now }),
        );
        if (!adjustedCashback) throw request.notFound();
        return adjustedCashback;
      };
      const fingerprint = [customerId, request.body];
      return createOnce(forCustomer(db, customerId), { request, reply, now }, adjust, fingerprint);
    },
  });
