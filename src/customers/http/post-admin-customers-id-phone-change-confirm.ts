import { rateLimited } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { checkCode } from '../codes/check-code.ts';
import type { Customers } from '../customers.ts';
import { confirmPhoneChange } from '../phone-changes/decide-change.ts';
import { PhoneConfirmation } from '../phone-changes/forms.ts';
import { findWaitingChange } from '../phone-changes/store.ts';
import { codeWrong, customerErased, noPhoneChange, phoneTaken, secondPersonNeeded } from '../problems.ts';
import { OperatorCustomer, ofCustomer } from '../schemas.ts';
import { findCustomerId } from '../store.ts';

export const postAdminCustomersIdPhoneChangeConfirm = (customers: Customers) =>
  endpoint('POST /admin/customers/:id/phone-change/confirm', {
    access: { scope: 'operator', role: 'support' },
    id: 'confirmPhoneChange',
    summary: 'Let the new phone of a customer count now',
    description:
      'With the code that was sent to the old phone anybody may do it; without a code somebody else than who asked for the change. All ' +
      'sessions of the customer end, and the old phone is told.',
    ...ofCustomer,
    body: PhoneConfirmation,
    bodyOptional: true,
    answers: { 200: { description: 'The customer.', schema: OperatorCustomer } },
    problems: [noPhoneChange, secondPersonNeeded, codeWrong, phoneTaken, customerErased, rateLimited],
    async handler(request) {
      const { proof, reason } = request.body;
      const id = await findCustomerId(customers.db, request.params.id);
      if (id === undefined) throw request.notFound();
      const waiting = proof && (await findWaitingChange(customers.db, id));
      const right =
        waiting && (await checkCode(customers, { phone: waiting.from, ...proof }, request.caller.address));
      if (waiting && !right) throw codeWrong();
      const change = changeBy(request, customers.clock.now(), reason);
      const confirmed = await confirmPhoneChange(customers, id, change, right);
      for (const session of confirmed?.endedSessions ?? []) customers.ended.note(session);
      return confirmed?.customer;
    },
  });
