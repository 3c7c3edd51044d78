import { findCustomerId, findName } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { showCashback } from '../render-staff.ts';
import type { Rewards } from '../rewards.ts';
import { ofCustomer, StaffCashbackShown } from '../schemas.ts';

export const getAdminCashbackId = ({ db, clock }: Rewards) =>
  endpoint('GET /admin/cashback/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getCashbackOfCustomer',
    summary: 'Show what cashback a customer has',
    ...ofCustomer,
    answers: { 200: { description: 'What they have, and until when.', schema: StaffCashbackShown } },
    async handler(request) {
      const id = await findCustomerId(db, request.params.id);
      const customer_name = id === undefined ? undefined : await findName(db, id);
      if (id === undefined || customer_name === undefined) throw request.notFound();
      return { ...(await showCashback(db, id, clock.now())), customer_name };
    },
  });
