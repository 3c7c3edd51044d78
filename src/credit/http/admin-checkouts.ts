import { Type } from 'typebox';
import { addCustomerNames, CUSTOMER_NOT_FOUND, findCustomerId, findIdentity } from '#customers';
import { type CustomerTx, forCustomer } from '#platform/database/customer-transaction.ts';
import type { Queryable } from '#platform/database/db.ts';
import { CUSTOMER_ROLES } from '#platform/http/access.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce } from '#platform/http/idempotency.ts';
import { listEndpoint } from '#platform/http/list.ts';
import { idOrPhone } from '#platform/http/schemas.ts';
import { omit } from '#platform/omit.ts';
import { createAuditContext, recordAuditEntry, recordView } from '#platform/privacy/audit-trail.ts';
import type { CreditDeps } from '../deps.ts';
import { ContractData, sendContract } from '../documents/contract.ts';
import { nothingToWriteOff, notWrittenOff, purchaseProblems } from '../problems.ts';
import type { CheckoutRecord } from '../purchases/checkout-record.ts';
import { findContract } from '../purchases/contract-store.ts';
import { approvePurchase, buildCheckoutRecord, openCheckout } from '../purchases/open-checkout.ts';
import type { CheckoutRequest } from '../purchases/plan-purchase.ts';
import { findCheckout, findCustomerByCheckout, listUnsettledCheckouts } from '../purchases/reading-store.ts';
import { renderStaffCheckout } from '../purchases/render-checkout.ts';
import { findPurchase } from '../purchases/store.ts';
import { describeWriteOff, recordWriteOffChange, reinstate, writeOff } from '../purchases/write-off.ts';
import {
  CheckoutOrder,
  HashParams,
  OperatorCheckoutItem,
  OperatorCheckoutWithName,
  purchaseRoute,
  WriteOffOrder,
  WriteOffState,
} from '../schemas.ts';
import {
  renderDebts,
  renderReceipts,
  renderReturns,
  renderStaffCheckoutItems,
} from '../staff/render-staff.ts';
import { Owed, StaffCheckout } from '../staff/schemas.ts';
import { checkoutList } from '../staff/staff-store.ts';

export const getAdminCheckouts = (deps: CreditDeps) =>
  listEndpoint('GET /admin/checkouts', deps, checkoutList, {
    id: 'listCheckoutsOfAll',
    summary: 'List purchases of all customers',
    description: 'Lists purchases with the amounts owed as of now.',
    cli: {
      columns:
        'hash, status, merchant.slug, customer_id, amounts.financed, amounts.total_due, next_due_on, purchased_at',
    },
    page: 'A page of purchases.',
    item: OperatorCheckoutItem,
    sum: 'Financed amount',
    render: (rows, { now }) =>
      renderStaffCheckoutItems(deps.db, rows, deps.merchants, {
        now: now.getTime(),
        publicUrl: deps.publicUrl(),
      }),
  });

export const postAdminCheckouts = ({
  db,
  clock,
  events,
  publicUrl,
  maxPurchaseAgeMs,
  maxWeeklyRate,
  selectCashbackDebt,
}: CreditDeps) =>
  endpoint('POST /admin/checkouts', {
    access: { scope: 'operator', role: 'finance' },
    id: 'createCheckout',
    summary: 'Create a purchase on credit',
    description:
      'The total, including interest, must be within the available limit. The customer must not be overdue, and their cashback balance ' +
      'must not be negative. With `dry_run` nothing is written, and the response shows the schedule, the total cost and the CET.',
    idempotent: true,
    body: CheckoutOrder,
    cli: {
      confirm: 'This creates a purchase of {amount} on credit for {customer}.',
      prints: ['hash'],
      done: '{merchant.name}: financed {amounts.financed}, total {amounts.total_due}.',
    },
    responses: {
      200: { description: 'The result of a dry run.', schema: OperatorCheckoutWithName },
      201: {
        description: 'The purchase.',
        schema: OperatorCheckoutWithName,
        headers: { Location: 'URL of the purchase in this API.' },
      },
    },
    problems: purchaseProblems,
    async handler(request, reply) {
      const { dry_run, ...order } = request.body as CheckoutRequest & { dry_run?: boolean };
      const now = clock.now();
      const renderContext = { now: now.getTime(), publicUrl: publicUrl() };
      // If no customer has the phone, it remains in the place of an id, and approvePurchase rejects the request.
      const customer = (await findCustomerId(db, order.customer)) ?? order.customer;
      const transactions = forCustomer(db, customer);
      const approve = (tx: CustomerTx) =>
        approvePurchase(
          tx,
          { ...order, customer },
          { now, maxPurchaseAgeMs, maxWeeklyRate, selectCashbackDebt },
        );
      const renderWithName = async (tx: Queryable, record: CheckoutRecord) => {
        const [view] = await addCustomerNames(tx, [renderStaffCheckout(record, renderContext)]);
        return view!;
      };
      if (dry_run)
        return reply
          .code(200)
          .send(await renderWithName(db, buildCheckoutRecord(await transactions.transaction(approve))));
      const auditContext = createAuditContext(request, now);
      const openAndRender = async (tx: CustomerTx) => {
        const view = await renderWithName(tx, await openCheckout(tx, await approve(tx), { events, now }));
        await recordAuditEntry(
          tx,
          auditContext,
          { kind: 'checkout', id: view.hash! },
          omit(view, 'customer_name'),
        );
        return view;
      };
      const checkout = await createOnce(transactions, { request, reply, now }, openAndRender);
      return reply.code(201).header('location', `/admin/checkouts/${checkout.hash}`).send(checkout);
    },
  });

export const getAdminCheckoutsHash = ({ db, clock, publicUrl, merchants, findAutopay }: CreditDeps) =>
  endpoint('GET /admin/checkouts/:hash', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getCheckoutOfAnybody',
    summary: 'Get a purchase',
    ...purchaseRoute,
    approvalOf: { kind: 'checkout', idField: 'hash' },
    responses: {
      200: {
        description: 'The purchase, the cost of the credit, and how the money of each payment was used.',
        schema: StaffCheckout,
      },
    },
    async handler(request) {
      const { hash } = request.params;
      const customerId = await findCustomerByCheckout(db, hash);
      const checkout = customerId && (await findCheckout(db, customerId, hash, merchants));
      if (!checkout) throw request.notFound();
      const now = clock.now();
      const renderContext = { now: now.getTime(), publicUrl: publicUrl() };
      const [autopayView, purchase] = await Promise.all([
        findAutopay(db, checkout.customer_id, hash, now),
        findPurchase(db, checkout.customer_id, hash),
      ]);
      const [view] = await addCustomerNames(db, [renderStaffCheckout(checkout, renderContext, autopayView)]);
      return {
        ...view!,
        receipts: renderReceipts(purchase!),
        returns: await renderReturns(db, checkout.customer_id, purchase!),
      };
    },
  });

export const getAdminCheckoutsHashContract = ({ db, clock }: CreditDeps) =>
  endpoint('GET /admin/checkouts/:hash/contract', {
    access: { scope: 'operator', role: CUSTOMER_ROLES },
    id: 'getContractOfAnybody',
    summary: 'Download the contract of a purchase',
    description:
      'Returns the same bytes as the customer’s copy, PDF or JSON by `Accept`, including unmasked personal data. Each download is recorded in the audit trail, as ' +
      '`view:ID` of the customer. A purchase that the operator recorded has no contract until its customer downloads it.',
    params: HashParams,
    notFound: {
      en: 'There is no purchase with this hash that has a contract.',
      pt: 'Não há compra com este hash que tenha contrato.',
    },
    responses: {
      200: { description: 'The contract.', contentType: 'application/pdf', json: ContractData },
    },
    async handler(request, reply) {
      const { hash } = request.params;
      const customerId = await findCustomerByCheckout(db, hash);
      const contract = customerId === undefined ? undefined : await findContract(db, customerId, hash);
      if (!contract) throw request.notFound();
      await db.transaction((tx) => recordView(tx, request, customerId!, clock.now()));
      const sentReply = await sendContract(
        db,
        { request, reply },
        { customerId: customerId!, hash },
        contract,
      );
      if (!sentReply) throw request.notFound();
      return sentReply;
    },
  });

export const postAdminCheckoutsHashReinstate = ({ db, clock }: CreditDeps) =>
  endpoint('POST /admin/checkouts/:hash/reinstate', {
    access: { scope: 'operator', role: 'finance' },
    id: 'reinstateCheckout',
    summary: 'Undo the write-off of a purchase',
    description: 'Books the outstanding amount as a receivable again.',
    ...purchaseRoute,
    body: WriteOffOrder,
    cli: {
      confirm: 'This books the outstanding amount of the purchase {hash} as a receivable again.',
      done: '{outstanding} is no longer a loss.',
    },
    responses: { 200: { description: 'The current state of the write-off.', schema: WriteOffState } },
    problems: [notWrittenOff],
    handler(request) {
      const { hash } = request.params;
      const { reason } = request.body;
      return recordWriteOffChange(
        db,
        reinstate,
        { hash, reason },
        createAuditContext(request, clock.now(), reason),
      );
    },
  });

export const postAdminCheckoutsHashWriteOff = ({ db, clock }: CreditDeps) =>
  endpoint('POST /admin/checkouts/:hash/write-off', {
    access: { scope: 'operator', role: 'finance' },
    id: 'writeOffCheckout',
    summary: 'Write off a purchase',
    description:
      'Books the outstanding amount as a loss. The customer still owes it, sees no difference and can pay; each payment reduces the ' +
      'loss. `/reinstate` undoes it.',
    ...purchaseRoute,
    body: WriteOffOrder,
    cli: {
      confirm: 'This books the outstanding amount of the purchase {hash} as a loss.',
      done: '{outstanding} is booked as a loss.',
    },
    responses: { 200: { description: 'The current state of the write-off.', schema: WriteOffState } },
    approval: {
      kind: 'write_off',
      describe: (request) =>
        describeWriteOff(
          db,
          { hash: request.params.hash, reason: request.body.reason },
          createAuditContext(request, clock.now()),
        ),
    },
    problems: [nothingToWriteOff],
    handler(request) {
      const { hash } = request.params;
      const { reason } = request.body;
      return recordWriteOffChange(
        db,
        writeOff,
        { hash, reason },
        createAuditContext(request, clock.now(), reason),
      );
    },
  });

export const getAdminCustomersIdOwed = ({ db, clock }: CreditDeps) =>
  endpoint('GET /admin/customers/:id/owed', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getOwedByCustomer',
    summary: 'Get the debt of a customer',
    params: Type.Object({ id: idOrPhone({ description: 'Id or phone of the customer.' }) }),
    notFound: CUSTOMER_NOT_FOUND,
    responses: { 200: { description: 'The unpaid installments, the longest overdue first.', schema: Owed } },
    async handler(request) {
      const id = await findCustomerId(db, request.params.id);
      if (id === undefined || !(await findIdentity(db, id))) throw request.notFound();
      return renderDebts(await listUnsettledCheckouts(db, id), clock.now());
    },
  });
