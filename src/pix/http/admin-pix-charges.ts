import { Type } from 'typebox';
import { addCustomerNames } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { listEndpoint } from '#platform/http/list.ts';
import { listResponse, respondWithPages } from '#platform/http/list-query.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import { project } from '#platform/http/project.ts';
import { computeChargeStatus } from '../charges/render-charge.ts';
import type { Pix } from '../pix.ts';
import { PixDiscrepancy, StaffChargeParams, StaffPixCharge, StaffPixChargeItem } from '../schemas.ts';
import { type ChargeRow, findChargeByIdOrTxid } from '../store/charges.ts';
import { chargeList } from '../store/lists.ts';
import { listDiscrepancies } from '../store/payments.ts';

const renderStaffCharge = (charge: ChargeRow, now: Date) => ({
  ...project(StaffPixCharge, charge),
  status: computeChargeStatus(charge, now),
});

export const getAdminPixCharges = (pix: Pix) =>
  listEndpoint('GET /admin/pix/charges', pix, chargeList, {
    id: 'listPixCharges',
    summary: 'List PIX charges',
    cli: { columns: 'id, txid, type, status, value, created_at' },
    page: 'A page of charges.',
    item: StaffPixChargeItem,
    sum: 'The amount of the charges',
    render: (rows, { now }) =>
      addCustomerNames(
        pix.db,
        rows.map((row) => renderStaffCharge(row, now)),
      ),
  });

export const getAdminPixChargesId = ({ db, clock }: Pix) =>
  endpoint('GET /admin/pix/charges/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getPixCharge',
    summary: 'Get a PIX charge',
    params: StaffChargeParams,
    notFound: { en: 'No charge has this id or txid.', pt: 'Nenhuma cobrança tem este id ou txid.' },
    responses: { 200: { description: 'The charge with its current status.', schema: StaffPixChargeItem } },
    async handler(request) {
      const charge = await findChargeByIdOrTxid(db, request.params.id);
      if (!charge || ['creating', 'discarded'].includes(charge.status)) throw request.notFound();
      const [view] = await addCustomerNames(db, [renderStaffCharge(charge, clock.now())]);
      return view;
    },
  });

export const getAdminPixDiscrepancies = ({ db }: Pix) =>
  endpoint('GET /admin/pix/discrepancies', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listPixDiscrepancies',
    summary: 'List PIX discrepancies',
    description:
      'What the payment provider reports about charges and the service cannot reconcile, newest first. Each discrepancy is rechecked ' +
      'automatically, at first every minute and later once a day, and disappears when it is resolved.',
    query: Type.Object(pageParameters()),
    responses: listResponse('A page of discrepancies.', PixDiscrepancy),
    handler: (request, reply) =>
      respondWithPages({ request, reply }, (range) => listDiscrepancies(db, range), {
        item: PixDiscrepancy,
        render: (rows) =>
          rows.map((discrepancy) => ({
            ...project(PixDiscrepancy, discrepancy),
            pix_id: discrepancy.charge_id,
            // Empty if the discrepancy is about no payment.
            end_to_end_id: discrepancy.end_to_end_id || null,
          })),
      }),
  });
