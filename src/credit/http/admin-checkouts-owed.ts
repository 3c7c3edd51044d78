import { Type } from 'typebox';
import { CUSTOMER_NOT_FOUND, findCustomerId, findIdentity } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { idOrPhone } from '#platform/http/schemas.ts';
import type { CreditDeps } from '../deps.ts';
import { listUnsettledCheckouts } from '../purchases/reading-store.ts';
import { renderOwed } from '../staff/render-staff.ts';
import { Owed } from '../staff/schemas.ts';

export const getAdminCustomersIdOwed = ({ db, clock }: CreditDeps) =>
  endpoint('GET /admin/customers/:id/owed', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getOwedByCustomer',
    summary: 'Get the debt of a customer',
    params: Type.Object({ id: idOrPhone({ description: 'Id or phone of the customer.' }) }),
    notFound: CUSTOMER_NOT_FOUND,
    responses: { 200: { description: 'The unpaid installments, the longest overdue first.', schema: Owed } },
    async handler(request) {
      const id = (await findCustomerId(db, request.params.id)) ?? '';
      if (!(await findIdentity(db, id))) throw request.notFound();
      return renderOwed(await listUnsettledCheckouts(db, id), clock.now());
    },
  });
