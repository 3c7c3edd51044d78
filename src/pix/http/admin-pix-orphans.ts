import { Type } from 'typebox';
import { cents } from '#core/values/money.ts';
import { Installment } from '#credit';
import { addCustomerNames } from '#customers';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { dryRun } from '#platform/database/db.ts';
import { buildAmountChange } from '#platform/http/approval.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { listEndpoint } from '#platform/http/list.ts';
import { customerNameField } from '#platform/http/masking.ts';
import { Id, StrictObject, Timestamp } from '#platform/http/schemas.ts';
import { createAuditContext, withAuditedUpdate } from '#platform/privacy/audit-trail.ts';
import {
  assignOrphan,
  forInstallmentCustomer,
  ORPHAN_SUGGESTION_REASONS,
  orphanAuditEntity,
  refundOrphan,
  renderOrphan,
  suggestInstallments,
  throwIfAssigned,
} from '../orphans/orphans.ts';
import type { Pix } from '../pix.ts';
import { installmentUnknown, orphanClosed } from '../problems.ts';
import { AmountInReais, EndToEndId, orphanRoute, PixOrphan, StaffPixCharge } from '../schemas.ts';
import { orphanList } from '../store/lists.ts';
import { findOrphan } from '../store/orphans.ts';

const PixOrphanWithSuggestions = Type.Object(
  {
    ...PixOrphan.properties,
    suggestions: Type.Array(
      Type.Object({
        customer_id: Id('cus'),
        ...customerNameField,
        checkout_hash: StaffPixCharge.properties.checkout_hash,
        installment_id: Id('ins'),
        because: Type.Array(Type.Enum([...ORPHAN_SUGGESTION_REASONS]), {
          description:
            '`code`: an unpaid charge of the same amount was created in the week before. `amount`: exactly this amount is owed, and due within ' +
            'ten days. `bank`: the customer has paid from the same bank before.',
        }),
      }),
      {
        description:
          'Installments that the payment may be for, the most likely first. Empty unless the payment is open.',
      },
    ),
  },
  { $id: 'PixOrphanShown' },
);

const OrphanAssignment = StrictObject(
  {
    installment_id: Id('ins', { description: 'The installment that the payment pays.' }),
    dry_run: Type.Optional(Type.Boolean({ description: 'Only returns what would happen.' })),
  },
  { $id: 'OrphanAssignment' },
);

const AssignedOrphan = Type.Object(
  {
    end_to_end_id: EndToEndId('The id of the payment in the Pix network.'),
    value: AmountInReais('The amount received, in reais.'),
    customer_id: Id('cus'),
    checkout_hash: Type.String({ examples: ['3kTz9QmVb7LxWc2RfYp8Hd'] }),
    received_at: Timestamp({ description: 'The instant as of which the payment is applied.' }),
    too_much: AmountInReais(
      'The excess of this and other payments of the installment, which is refunded, in reais.',
    ),
    installment: Installment,
  },
  { $id: 'AssignedOrphan' },
);

export const getAdminPixOrphans = (pix: Pix) =>
  listEndpoint('GET /admin/pix/orphans', pix, orphanList, {
    id: 'listPixOrphans',
    summary: 'List PIX payments without a charge',
    description:
      'An orphan stays open until a staff user assigns it to an installment (`/assign`) or refunds it (`/refund`). A payment that was ' +
      'assigned, or turned out to be for a charge, is no longer listed.',
    cli: { columns: 'end_to_end_id, value, status, reason, paid_at, found_at' },
    page: 'A page of payments.',
    item: PixOrphan,
    sum: 'The amount received',
    render: (rows) => rows.map(renderOrphan),
  });

export const getAdminPixOrphansId = ({ db }: Pix) =>
  endpoint('GET /admin/pix/orphans/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getPixOrphan',
    summary: 'Get a PIX payment without a charge',
    ...orphanRoute,
    approvalOf: { kind: 'pix_orphan', idField: 'end_to_end_id' },
    responses: { 200: { description: 'The payment.', schema: PixOrphanWithSuggestions } },
    async handler(request) {
      const orphan = await findOrphan(db, request.params.id);
      if (!orphan) return undefined;
      const suggestions = orphan.status === 'open' ? await suggestInstallments(db, orphan) : [];
      return { ...renderOrphan(orphan), suggestions: await addCustomerNames(db, suggestions) };
    },
  });

export const postAdminPixOrphansIdAssign = (pix: Pix) =>
  endpoint('POST /admin/pix/orphans/:id/assign', {
    access: { scope: 'operator', role: 'support' },
    id: 'assignPixOrphan',
    summary: 'Assign a PIX payment without a charge to an installment',
    description:
      'The payment is applied as of its arrival, as if a charge had been paid, and any excess is refunded. Check the result with ' +
      '`dry_run` first. To correct a wrong assignment, move the payment to the right installment.',
    ...orphanRoute,
    body: OrphanAssignment,
    cli: {
      confirm: 'This applies the payment {id} to {installment_id} for good.',
      done: '{value} as of {received_at}: {installment.outstanding} is outstanding on installment {installment.number}, {too_much} is refunded.',
    },
    responses: { 200: { description: 'The result of the assignment.', schema: AssignedOrphan } },
    problems: [orphanClosed, installmentUnknown],
    async handler(request) {
      const { db, clock } = pix;
      const { installment_id: installmentId, dry_run } = request.body;
      const auditContext = createAuditContext(request, clock.now());
      const assign = (tx: CustomerTx) =>
        assignOrphan(tx, pix, { endToEndId: request.params.id, installmentId }, auditContext);
      const customerDb = await forInstallmentCustomer(db, installmentId);
      return dry_run ? dryRun(customerDb, assign) : customerDb.transaction(assign);
    },
  });

export const postAdminPixOrphansIdRefund = ({ db, clock }: Pix) =>
  endpoint('POST /admin/pix/orphans/:id/refund', {
    access: { scope: 'operator', role: 'finance' },
    id: 'refundPixOrphan',
    summary: 'Refund a PIX payment without a charge',
    description:
      'Refunds the whole amount to its sender. The request is sent to the payment provider afterwards; if the provider refuses, the payment is `open` again, with the `reason`.',
    ...orphanRoute,
    cli: {
      confirm: 'This refunds the payment {id} to its sender.',
      done: 'A refund of {value} is requested from the PSP.',
    },
    responses: { 200: { description: 'The payment.', schema: PixOrphan } },
    approval: {
      kind: 'orphan_refund',
      async describe({ params: { id } }) {
        const orphan = await findOrphan(db, id);
        if (orphan?.status !== 'open') return undefined;
        const amount = cents(orphan.amount_cents);
        return {
          amount,
          subject: { kind: 'pix_orphan', id, name: null },
          change: [buildAmountChange('refunded', null, amount)],
        };
      },
    },
    problems: [orphanClosed],
    async handler(request) {
      const { id } = request.params;
      const now = clock.now();
      const auditContext = createAuditContext(request, now);
      return db.transaction(async (tx) => {
        const refund = () => refundOrphan(tx, id, now);
        const orphan = await withAuditedUpdate(tx, auditContext, { entity: orphanAuditEntity, id }, refund);
        if (!orphan) await throwIfAssigned(tx, id);
        return orphan;
      });
    },
  });
