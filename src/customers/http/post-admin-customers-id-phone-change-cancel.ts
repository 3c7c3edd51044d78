import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import type { Customers } from '../customers.ts';
import { cancelPhoneChange } from '../phone-changes/decide-change.ts';
import { customerErased, noPhoneChange } from '../problems.ts';
import { OperatorCustomer, ofCustomer, ReasonForm } from '../schemas.ts';

export const postAdminCustomersIdPhoneChangeCancel = (customers: Customers) =>
  endpoint('POST /admin/customers/:id/phone-change/cancel', {
    access: { scope: 'operator', role: 'support' },
    id: 'cancelPhoneChange',
    summary: 'Leave the phone of a customer as it is',
    description: 'Takes back a change of the phone that waits.',
    ...ofCustomer,
    body: ReasonForm,
    bodyOptional: true,
    answers: { 200: { description: 'The customer.', schema: OperatorCustomer } },
    problems: [noPhoneChange, customerErased],
    handler(request) {
      const change = changeBy(request, customers.clock.now(), request.body.reason);
      return cancelPhoneChange(customers, request.params.id, change);
    },
  });
