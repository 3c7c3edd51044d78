import { rateLimited } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy, recordCreation } from '#platform/privacy/trail.ts';
import { requestCode } from '../codes/request-code.ts';
import type { Customers } from '../customers.ts';
import { findWaitingChange } from '../phone-changes/store.ts';
import { noPhoneChange, otpTooSoon, phoneNotSupported } from '../problems.ts';
import { CodeOnItsWay, ofCustomer } from '../schemas.ts';
import { findCustomerId, isCustomer } from '../store.ts';

export const postAdminCustomersIdPhoneChangeCode = (customers: Customers) =>
  endpoint('POST /admin/customers/:id/phone-change/code', {
    access: { scope: 'operator', role: 'support' },
    id: 'sendPhoneChangeCode',
    summary: 'Send a code to the old phone of a customer whose phone is to change',
    description: 'Whoever has the old phone says the code, and with it the change is confirmed.',
    ...ofCustomer,
    answers: { 202: { description: 'A code is on its way to the old phone.', schema: CodeOnItsWay } },
    problems: [noPhoneChange, otpTooSoon, rateLimited, phoneNotSupported],
    async handler(request) {
      const { db } = customers;
      const id = await findCustomerId(db, request.params.id);
      if (id === undefined || !(await isCustomer(db, id))) throw request.notFound();
      const waiting = await findWaitingChange(db, id);
      if (!waiting) throw noPhoneChange();
      const sent = await requestCode(customers, waiting.from, request.caller);
      const change = changeBy(request, customers.clock.now());
      await db.transaction((tx) => recordCreation(tx, change, { kind: 'customer', id }, {}));
      return sent;
    },
  });
