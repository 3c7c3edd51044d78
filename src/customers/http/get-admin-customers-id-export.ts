import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import type { Customers } from '../customers.ts';
import { exportCustomer, type PersonalDeps } from '../export-customer.ts';
import { CustomerExport, ofCustomer } from '../schemas.ts';

export const getAdminCustomersIdExport = (deps: Customers & PersonalDeps) =>
  endpoint('GET /admin/customers/:id/export', {
    access: { scope: 'operator', role: 'support' },
    id: 'exportCustomer',
    summary: 'Give out all that is held on a customer',
    description:
      'For whoever asks what we know of them (LGPD art. 18): every table that holds something on people, with the CPF whole. Secrets of ' +
      'ours (hashes, seals) are not in it. That it was asked for is in the trail.',
    ...ofCustomer,
    answers: { 200: { description: 'Everything, by table.', schema: CustomerExport } },
    async handler(request, reply) {
      const change = changeBy(request, deps.clock.now());
      const held = await exportCustomer(deps, request.params.id, change);
      if (!held) throw request.notFound();
      return reply.header('cache-control', 'no-store').send(held);
    },
  });
