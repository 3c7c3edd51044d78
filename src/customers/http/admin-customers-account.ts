import { Type } from 'typebox';
import { rateLimited } from '#partners';
import type { Queryable } from '#platform/database/db.ts';
import { CUSTOMER_ROLES, seesUnmasked } from '#platform/http/access.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { listResponse, respondWithPages } from '#platform/http/list-query.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import { Id, idOrPhone, ListOf } from '#platform/http/schemas.ts';
import { createAuditContext, recordAuditEntry } from '#platform/privacy/audit-trail.ts';
import type { Problem } from '#platform/problem.ts';
import { CodeChallenge, PhoneConfirmation, sessionFields } from '../auth-schemas.ts';
import { withAuditedCustomerUpdate } from '../change-customer.ts';
import { checkCode, requestCode } from '../codes/codes.ts';
import type { CustomersDeps } from '../customers.ts';
import { eraseCustomer, exportCustomer } from '../personal-data-requests.ts';
import { cancelPhoneChange, confirmPhoneChange } from '../phone-changes/decide-change.ts';
import { findPendingChange } from '../phone-changes/store.ts';
import {
  codeWrong,
  customerErased,
  moneyOwed,
  noPhoneChange,
  otpTooSoon,
  phoneNotSupported,
  phoneTaken,
  secondPersonNeeded,
} from '../problems.ts';
import {
  CustomerExport,
  customerResource,
  ErasureForm,
  OperatorCustomer,
  ReasonForm,
  TimelineEntry,
} from '../schemas.ts';
import { endAllSessions, endSession, renderSession } from '../sessions/sessions.ts';
import { customerSessions } from '../sessions/store.ts';
import { customerExists, findCustomerId } from '../store.ts';
import { readTimeline } from '../timeline.ts';

async function requireCustomerId(db: Queryable, request: { params: { id: string }; notFound(): Problem }) {
  const id = await findCustomerId(db, request.params.id);
  if (id === undefined || !(await customerExists(db, id))) throw request.notFound();
  return id;
}

export const getAdminCustomersIdExport = (deps: CustomersDeps) =>
  endpoint('GET /admin/customers/:id/export', {
    access: { scope: 'operator', role: CUSTOMER_ROLES },
    id: 'exportCustomer',
    summary: 'Export the data of a customer',
    description:
      'Answers a data subject access request (LGPD art. 18): the rows of every table with personal data. The CPF is not masked. Hashes ' +
      'and ciphertexts are left out. The export is recorded in the audit trail.',
    ...customerResource,
    responses: { 200: { description: 'The data, by table.', schema: CustomerExport } },
    async handler(request, reply) {
      const auditContext = createAuditContext(request, deps.clock.now());
      const exportedData = await exportCustomer(deps, request.params.id, auditContext);
      if (!exportedData) throw request.notFound();
      return reply.header('cache-control', 'no-store').send(exportedData);
    },
  });

const TIMELINE_ENTRIES_PER_PAGE = 50;

export const getAdminCustomersIdStory = ({ db, personalData }: CustomersDeps) =>
  endpoint('GET /admin/customers/:id/story', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getCustomerStory',
    summary: 'Get the timeline of a customer',
    description:
      'Newest first: registration, logins, messages, purchases, payments, extensions, refunds, chargebacks, cashback, invitations and ' +
      'changes by staff, as sentences in Portuguese. Logins and messages are retained for a limited time. Names and reasons are masked ' +
      'for the roles `viewer` and `content`.',
    ...customerResource,
    query: Type.Object(pageParameters(TIMELINE_ENTRIES_PER_PAGE)),
    cli: {
      command: 'customers story',
      columns: 'at, kind, text, checkout_hash|end_to_end_id|trail_id',
    },
    responses: listResponse('A page of the timeline.', TimelineEntry),
    async handler(request, reply) {
      const id = await requireCustomerId(db, request);
      return respondWithPages({ request, reply }, (page) => readTimeline(db, personalData, id, page), {
        item: TimelineEntry,
        path: `/admin/customers/${id}/story`,
        render: (rows) =>
          rows.map(({ at, text, masked: maskedText = text, ...fields }) => ({
            at: at.toISOString(),
            text: seesUnmasked(request.caller) ? text : maskedText,
            ...fields,
          })),
      });
    },
  });

export const postAdminCustomersIdErase = (deps: CustomersDeps) =>
  endpoint('POST /admin/customers/:id/erase', {
    access: { scope: 'operator', role: 'admin' },
    id: 'eraseCustomer',
    summary: 'Erase a customer',
    description:
      'Permanently deletes name, phone, e-mail, CPF, birth date, password and all other identifying data in every table, and ends all ' +
      'sessions. Purchases, payments and the ledger remain, without a name. The phone and the CPF can be registered again. Refused ' +
      'while money is owed.',
    ...customerResource,
    body: ErasureForm,
    cli: {
      confirm: 'This erases the personal data of {id} for good.',
      done: 'The personal data of {id} is erased.',
    },
    responses: { 200: { description: 'The erased customer.', schema: OperatorCustomer } },
    problems: [moneyOwed, customerErased],
    handler(request) {
      const auditContext = createAuditContext(request, deps.clock.now(), request.body.reason);
      return eraseCustomer(deps, request.params.id, auditContext);
    },
  });

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
      const auditContext = createAuditContext(request, deps.clock.now(), request.body.reason);
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
      const id = await requireCustomerId(db, request);
      const pendingChange = await findPendingChange(db, id);
      if (!pendingChange) throw noPhoneChange();
      const challenge = await requestCode(deps, pendingChange.from, request.caller);
      const auditContext = createAuditContext(request, deps.clock.now());
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
      const id = await requireCustomerId(deps.db, request);
      // If the customer has no pending change, `confirmPhoneChange` throws.
      const pendingChange = proof && (await findPendingChange(deps.db, id));
      const verifiedCode =
        pendingChange &&
        (await checkCode(deps, { phone: pendingChange.from, ...proof }, request.caller.ipAddress));
      if (pendingChange && !verifiedCode) throw codeWrong();
      const auditContext = createAuditContext(request, deps.clock.now(), reason);
      return confirmPhoneChange(deps, id, auditContext, verifiedCode);
    },
  });

const CustomerSession = Type.Object(sessionFields, { $id: 'CustomerSession' });

export const getAdminCustomersIdSessions = ({ db, clock }: CustomersDeps) =>
  endpoint('GET /admin/customers/:id/sessions', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listCustomerSessions',
    summary: 'List the sessions of a customer',
    description: 'Lists active sessions, the most recently refreshed first; at most 100.',
    ...customerResource,
    responses: { 200: { description: 'The sessions.', schema: ListOf(CustomerSession) } },
    async handler(request) {
      const id = await requireCustomerId(db, request);
      const sessions = await customerSessions.listOpen(db, id, clock.now());
      return { data: sessions.map(renderSession) };
    },
  });

export const postAdminCustomersIdSessionsEnd = (deps: CustomersDeps) =>
  endpoint('POST /admin/customers/:id/sessions/end', {
    access: { scope: 'operator', role: 'support' },
    id: 'endCustomerSessions',
    summary: 'End all sessions of a customer',
    description: 'The customer may log in again immediately. Takes effect on every node.',
    ...customerResource,
    body: ReasonForm,
    bodyOptional: true,
    cli: { command: 'customers sessions end-all' },
    responses: { 204: { description: 'The sessions have ended.' } },
    problems: [customerErased],
    async handler(request) {
      const now = deps.clock.now();
      const auditContext = createAuditContext(request, now, request.body.reason);
      const customer = await withAuditedCustomerUpdate(
        deps,
        request.params.id,
        { auditContext },
        (tx, { id }) => endAllSessions(tx, deps, id, 'logout', now),
      );
      if (!customer) throw request.notFound();
    },
  });

export const postAdminCustomersIdSessionsSessionEnd = (deps: CustomersDeps) =>
  endpoint('POST /admin/customers/:id/sessions/:session/end', {
    access: { scope: 'operator', role: 'support' },
    id: 'endCustomerSession',
    summary: 'End one session of a customer',
    description: 'Idempotent.',
    params: Type.Object({ id: idOrPhone({ description: 'Id or phone.' }), session: Id('ses') }),
    notFound: {
      en: 'No customer has this id or phone, or the customer has no such session.',
      pt: 'Nenhum cliente tem este id ou telefone, ou não há esta sessão.',
    },
    body: ReasonForm,
    bodyOptional: true,
    responses: { 204: { description: 'The session has ended.' } },
    problems: [customerErased],
    async handler(request) {
      const now = deps.clock.now();
      const { id: customerKey, session: sessionId } = request.params;
      const auditContext = createAuditContext(request, now, request.body.reason);
      const customer = await withAuditedCustomerUpdate(
        deps,
        customerKey,
        { auditContext },
        async (tx, { id }) => {
          if (!(await customerSessions.lock(tx, id, sessionId))) throw request.notFound();
          await endSession(tx, deps, { principalId: id, sessionId }, 'logout', now);
        },
      );
      if (!customer) throw request.notFound();
    },
  });
