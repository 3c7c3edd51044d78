import { rateLimited } from '#partners';
import { countAttempts } from '#platform/http/attempt-limits.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { changeByCustomer } from '#platform/privacy/trail.ts';
import type { Customers } from '../customers.ts';
import { exportCustomer, type PersonalDeps } from '../export-customer.ts';
import { ownExports } from '../limits.ts';
import { tokenInvalid } from '../problems.ts';
import { CustomerExport } from '../schemas.ts';

export const getWalletExport = (deps: Customers & PersonalDeps) =>
  endpoint('GET /wallet/export', {
    access: { scope: 'wallet', customer: true },
    id: 'exportOwnData',
    summary: 'All that is held on the customer',
    description:
      'For the customer to keep (LGPD art. 18): every table that holds something on them, with the CPF whole. What staff wrote for ' +
      'themselves is left out. At most 10 a day. That it was asked for is in the trail.',
    answers: { 200: { description: 'Everything, by table.', schema: CustomerExport } },
    problems: [rateLimited],
    async handler(request) {
      const now = deps.clock.now();
      const { customerId } = request.caller;
      await countAttempts(deps.db, ownExports(deps, customerId), now);
      const held = await exportCustomer(deps, customerId, changeByCustomer(request, now));
      if (!held) throw tokenInvalid('customer_gone');
      return held;
    },
  });
