import { rateLimited } from '#partners';
import { enforceLimits } from '#platform/http/attempt-limits.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createCustomerAuditContext } from '#platform/privacy/audit-trail.ts';
import { CodeProof, ErasureCheck, Login, NewEmail, NewPhone, OwnPhoneChange } from '../auth-schemas.ts';
import type { CustomersDeps } from '../customers.ts';
import { buildExportCounters } from '../limits.ts';
import { changeOwnEmail, changeOwnPhone, eraseOwnAccount } from '../own-account.ts';
import { exportCustomer, listOpenDebts } from '../personal-data-requests.ts';
import { cancelPhoneChange } from '../phone-changes/decide-change.ts';
import { findPendingChange } from '../phone-changes/store.ts';
import {
  codeWrong,
  customerErased,
  moneyOwed,
  noPhoneChange,
  phoneTaken,
  tokenInvalid,
} from '../problems.ts';
import { renderCustomer } from '../render-customer.ts';
import { Customer, CustomerExport } from '../schemas.ts';
import { findCustomer } from '../store.ts';

export const getWalletErase = ({ db, personalData }: CustomersDeps) =>
  endpoint('GET /wallet/erase', {
    access: { scope: 'wallet', customer: true },
    id: 'checkErasure',
    summary: 'Check whether the account can be erased',
    responses: { 200: { description: 'The open debts that prevent it.', schema: ErasureCheck } },
    async handler({ caller: { customerId } }) {
      const openDebts = await listOpenDebts(db, personalData, customerId);
      return { stopped_by: openDebts.map(({ code, pt: text }) => ({ code, text })) };
    },
  });

export const getWalletExport = (deps: CustomersDeps) =>
  endpoint('GET /wallet/export', {
    access: { scope: 'wallet', customer: true },
    id: 'exportOwnData',
    summary: 'Export the data of the customer',
    description:
      'Returns all personal data of the customer (LGPD art. 18), by table. The CPF is not masked. Internal notes of staff are left out. At most ' +
      '10 exports a day. The export is recorded in the audit trail.',
    responses: { 200: { description: 'The data, by table.', schema: CustomerExport } },
    problems: [rateLimited],
    async handler(request) {
      const now = deps.clock.now();
      const { customerId } = request.caller;
      await enforceLimits(deps.db, buildExportCounters(deps, customerId), now);
      const exportedData = await exportCustomer(deps, customerId, createCustomerAuditContext(request, now));
      if (!exportedData) throw tokenInvalid('customer_missing');
      return exportedData;
    },
  });

export const getWalletMe = (deps: CustomersDeps) =>
  endpoint('GET /wallet/me', {
    access: { scope: 'wallet', customer: true },
    id: 'getMe',
    summary: 'Get the logged-in customer',
    responses: { 200: { description: 'The customer.', schema: Customer } },
    async handler(request) {
      const { db, clock, identities } = deps;
      const customer = await findCustomer(db.shared, request.caller.customerId, deps, clock.now());
      if (!customer) throw tokenInvalid('customer_missing');
      return renderCustomer(customer, identities);
    },
  });

export const getWalletPhoneChange = ({ db }: CustomersDeps) =>
  endpoint('GET /wallet/phone-change', {
    access: { scope: 'wallet', customer: true },
    id: 'getPhoneChange',
    summary: 'Get the pending phone change',
    description: 'Returns the phone change that staff requested for the customer, who can cancel it.',
    responses: { 200: { description: 'The pending phone change, if any.', schema: OwnPhoneChange } },
    async handler({ caller: { customerId } }) {
      const pendingChange = await findPendingChange(db, customerId);
      if (!pendingChange) return { phone_change: null };
      const { to, asked_at, counts_at } = pendingChange;
      const times = { asked_at: asked_at.toISOString(), counts_at: counts_at.toISOString() };
      return { phone_change: { phone_ends_in: to.slice(-4), ...times } };
    },
  });

export const postWalletErase = (deps: CustomersDeps) =>
  endpoint('POST /wallet/erase', {
    access: { scope: 'wallet', customer: true },
    id: 'eraseOwnAccount',
    summary: 'Erase the account of the customer',
    description:
      'Requires a code that `POST /wallet/auth/otp` sent to the phone of the customer. Permanently deletes name, phone, e-mail, CPF and ' +
      'all other identifying data; remaining cashback lapses. Refused while the customer owes money or is owed money: `stopped_by` ' +
      'lists why.',
    body: CodeProof,
    responses: { 204: { description: 'The account is erased.' } },
    problems: [codeWrong, moneyOwed, customerErased, rateLimited],
    handler(request) {
      const { caller, body } = request;
      const auditContext = createCustomerAuditContext(request, deps.clock.now(), 'Pedido do titular');
      return eraseOwnAccount(deps, { caller, auditContext }, body);
    },
  });

export const putWalletEmail = (deps: CustomersDeps) =>
  endpoint('PUT /wallet/email', {
    access: { scope: 'wallet', customer: true },
    id: 'changeOwnEmail',
    summary: 'Change the e-mail of the customer',
    description: 'Requires a code that `POST /wallet/auth/otp` sent to the phone of the customer.',
    body: NewEmail,
    responses: { 200: { description: 'The customer.', schema: Customer } },
    problems: [codeWrong, rateLimited],
    handler(request) {
      const { caller, body } = request;
      const auditContext = createCustomerAuditContext(request, deps.clock.now());
      return changeOwnEmail(deps, { caller, auditContext }, body);
    },
  });

export const putWalletPhone = (deps: CustomersDeps) =>
  endpoint('PUT /wallet/phone', {
    access: { scope: 'wallet', customer: true },
    id: 'changeOwnPhone',
    summary: 'Change the phone of the customer',
    description:
      'Requires two codes that `POST /wallet/auth/otp` sent: one to the new phone and, in `current`, one to the current phone. Takes ' +
      'effect immediately. All sessions end, and the response has the tokens of a new session. A customer without access to the ' +
      'current phone contacts the operator.',
    body: NewPhone,
    responses: { 200: { description: 'A new session.', schema: Login } },
    problems: [codeWrong, phoneTaken, rateLimited],
    handler(request) {
      const { caller, body } = request;
      const auditContext = createCustomerAuditContext(request, deps.clock.now());
      return changeOwnPhone(deps, { caller, auditContext }, body);
    },
  });

export const postWalletPhoneChangeCancel = (deps: CustomersDeps) =>
  endpoint('POST /wallet/phone-change/cancel', {
    access: { scope: 'wallet', customer: true },
    id: 'cancelOwnPhoneChange',
    summary: 'Cancel the pending phone change',
    responses: { 204: { description: 'The phone change is cancelled.' } },
    problems: [noPhoneChange],
    async handler(request) {
      const auditContext = createCustomerAuditContext(request, deps.clock.now());
      await cancelPhoneChange(deps, request.caller.customerId, auditContext);
    },
  });
