import { Type } from 'typebox';
import { findIdentity, NO_CUSTOMER } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { Id } from '#platform/http/schemas.ts';
import type { CreditDeps } from '../deps.ts';
import { listUnsettled } from '../purchases/reading-store.ts';
import { renderOwed } from '../reports/owed.ts';
import { Owed } from '../reports/schemas.ts';

export const getAdminCustomersIdOwed = ({ db, clock }: CreditDeps) =>
  endpoint('GET /admin/customers/:id/owed', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getOwedByCustomer',
    summary: 'Show what a customer owes now, installment by installment',
    params: Type.Object({ id: Id('cus', { description: 'The customer.' }) }),
    notFound: NO_CUSTOMER,
    answers: { 200: { description: 'What is owed, the longest due first.', schema: Owed } },
    async handler(request) {
      const { id } = request.params;
      if (!(await findIdentity(db, id))) throw request.notFound();
      return renderOwed(await listUnsettled(db, id), clock.now());
    },
  });
