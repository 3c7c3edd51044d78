import { endpoint } from '#platform/http/endpoint.ts';
import { changeByCustomer } from '#platform/privacy/trail.ts';
import type { Customers } from '../customers.ts';
import { cancelPhoneChange } from '../phone-changes/decide-change.ts';
import { noPhoneChange } from '../problems.ts';

export const postWalletPhoneChangeCancel = (customers: Customers) =>
  endpoint('POST /wallet/phone-change/cancel', {
    access: { scope: 'wallet', customer: true },
    id: 'cancelOwnPhoneChange',
    summary: 'Keep the phone: take back a change that waits',
    answers: { 204: { description: 'The phone stays as it is.' } },
    problems: [noPhoneChange],
    async handler(request) {
      const change = changeByCustomer(request, customers.clock.now());
      await cancelPhoneChange(customers, request.caller.customerId, change);
    },
  });
