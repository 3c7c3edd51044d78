import { rateLimited } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { auditContextFor, recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import { checkCode } from '../codes/check-code.ts';
import { requestCode } from '../codes/request-code.ts';
import type { CustomersDeps } from '../customers.ts';
import { cancelPhoneChange, confirmPhoneChange } from '../phone-changes/decide-change.ts';
import { PhoneConfirmation } from '../phone-changes/forms.ts';
import { findPendingChange } from '../phone-changes/store.ts';
import {
  codeWrong,
  customerErased,
  noPhoneChange,
  otpTooSoon,
  phoneNotSupported,
  phoneTaken,
  secondPersonNeeded,
} from '../problems.ts';
import { CodeChallenge, customerResource, OperatorCustomer, ReasonForm } from '../schemas.ts';
import { customerExists, findCustomerId } from '../store.ts';

export const postAdminCustomersIdPhoneChangeCancel = (deps: CustomersDeps) =>
  endpoint('POST /admin/customers/:id/phone-change/cancel', {
    access: { scope: 'operator', role: 'support' },
    id: 'cancelPhoneChange',
    summary: 'Cancel the pending phone change of a customer',
    ...customerResource,
    body: ReasonForm,
    bodyOptional: true,
    responses: { 200: { description: 'The customer.', schema: OperatorCustomer } },
    problems: [noPhoneChange, customerErased],
    handler(request) {
      const auditContext = auditContextFor(request, deps.clock.now(), request.body.reason);
      return cancelPhoneChange(deps, request.params.id, auditContext);
    },
  });

export const postAdminCustomersIdPhoneChangeCode = (deps: CustomersDeps) =>
  endpoint('POST /admin/customers/:id/phone-change/code', {
    access: { scope: 'operator', role: 'support' },
    id: 'sendPhoneChangeCode',
    summary: 'Send a phone change code',
    description: 'Sends a code to the old phone. With this code the pending phone change can be confirmed.',
    ...customerResource,
    responses: { 202: { description: 'The code is being sent to the old phone.', schema: CodeChallenge } },
    problems: [noPhoneChange, otpTooSoon, rateLimited, phoneNotSupported],
    async handler(request) {
      const { db } = deps;
      const id = await findCustomerId(db, request.params.id);
      if (id === undefined || !(await customerExists(db, id))) throw request.notFound();
      const pendingChange = await findPendingChange(db, id);
      if (!pendingChange) throw noPhoneChange();
      const challenge = await requestCode(deps, pendingChange.from, request.caller);
      const auditContext = auditContextFor(request, deps.clock.now());
      await db.transaction((tx) => recordAuditEntry(tx, auditContext, { kind: 'customer', id }, {}));
      return challenge;
    },
  });

export const postAdminCustomersIdPhoneChangeConfirm = (deps: CustomersDeps) =>
  endpoint('POST /admin/customers/:id/phone-change/confirm', {
    access: { scope: 'operator', role: 'support' },
    id: 'confirmPhoneChange',
    summary: 'Confirm the pending phone change of a customer',
    description:
      'With the code sent to the old phone, any staff user may confirm; without a code, only a staff user other than the one who ' +
      'requested the change. All sessions of the customer end, and the old phone gets a message.',
    ...customerResource,
    body: PhoneConfirmation,
    bodyOptional: true,
    responses: { 200: { description: 'The customer.', schema: OperatorCustomer } },
    problems: [noPhoneChange, secondPersonNeeded, codeWrong, phoneTaken, customerErased, rateLimited],
    async handler(request) {
      const { proof, reason } = request.body;
      const id = await findCustomerId(deps.db, request.params.id);
      if (id === undefined) throw request.notFound();
      const pendingChange = proof && (await findPendingChange(deps.db, id));
      const verifiedCode =
        pendingChange &&
        (await checkCode(deps, { phone: pendingChange.from, ...proof }, request.caller.ipAddress));
      if (pendingChange && !verifiedCode) throw codeWrong();
      const auditContext = auditContextFor(request, deps.clock.now(), reason);
      const confirmed = await confirmPhoneChange(deps, id, auditContext, verifiedCode);
      for (const session of confirmed?.endedSessionIds ?? []) deps.endedSessions.add(session);
      return confirmed?.customer;
    },
  });
