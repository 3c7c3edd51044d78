import { findCustomerId, findName } from '#customers';
import { endpoint } from '#platform/http/endpoint.ts';
import { showCashback } from '../render-staff.ts';
import type { Rewards } from '../rewards.ts';
import { CashbackParams, StaffCashback } from '../schemas.ts';

export const getAdminCashbackId = ({ db, clock }: Rewards) =>
  endpoint({
    method: 'GET',
    url: '/admin/cashback/:id',
    access: { scope: 'operator', role: 'viewer' },
    id: 'getCashbackOfCustomer',
    summary: 'Show what cashback a customer has',
    params: CashbackParams,
    notFound: { en: 'There is no such customer.', pt: 'Este cliente não existe.' },
    answers: { 200: { description: 'What they have, and until when.', schema: StaffCashback } },
    async handler(request) {
      const id = await findCustomerId(db, request.params.id);
      if (id === undefined || (await findName(db, id)) === undefined) throw request.notFound();
      return showCashback(db, id, clock.now());
    },
  });
