import { Type } from 'typebox';
import { CUSTOMER_ROLES, seesUnmasked } from '#platform/http/access.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { listResponse, respondWithPages } from '#platform/http/list-query.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import { auditContextFor } from '#platform/privacy/audit-trail.ts';
import type { PersonalData } from '#platform/privacy/personal-data.ts';
import type { CustomersDeps } from '../customers.ts';
import { eraseCustomer, exportCustomer, type PersonalDataDeps } from '../export-customer.ts';
import { customerErased, moneyOwed } from '../problems.ts';
import {
  CustomerExport,
  customerResource,
  ErasureForm,
  OperatorCustomer,
  TimelineEntry,
} from '../schemas.ts';
import { customerExists, findCustomerId } from '../store.ts';
import { readTimeline } from '../timeline.ts';

export const getAdminCustomersIdExport = (deps: CustomersDeps & PersonalDataDeps) =>
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
      const auditContext = auditContextFor(request, deps.clock.now());
      const exportedData = await exportCustomer(deps, request.params.id, auditContext);
      if (!exportedData) throw request.notFound();
      return reply.header('cache-control', 'no-store').send(exportedData);
    },
  });

export const getAdminCustomersIdStory = ({
  db,
  personalData,
}: Pick<CustomersDeps, 'db'> & { personalData: readonly PersonalData[] }) =>
  endpoint('GET /admin/customers/:id/story', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getCustomerStory',
    summary: 'Get the timeline of a customer',
    description:
      'Newest first: registration, logins, messages, purchases, payments, extensions, refunds, chargebacks, cashback, invitations and ' +
      'changes by staff, as sentences in Portuguese. Logins and messages are retained for a limited time. Names and reasons are masked ' +
      'for the roles `viewer` and `content`.',
    ...customerResource,
    query: Type.Object(pageParameters(50)),
    cli: {
      command: 'customers story',
      columns: { WHEN: 'at', KIND: 'kind', WHAT: 'text', ABOUT: 'checkout_hash|end_to_end_id|trail_id' },
    },
    responses: listResponse('A page of the timeline.', TimelineEntry),
    async handler(request, reply) {
      const id = await findCustomerId(db, request.params.id);
      if (id === undefined || !(await customerExists(db, id))) throw request.notFound();
      return respondWithPages({ request, reply }, (page) => readTimeline(db, personalData, id, page), {
        item: TimelineEntry,
        path: `/admin/customers/${id}/story`,
        render: (rows) =>
          rows.map(({ at, text, masked = text, ...line }) => ({
            at: at.toISOString(),
            text: seesUnmasked(request.caller) ? text : masked,
            ...line,
          })),
      });
    },
  });

export const postAdminCustomersIdErase = (deps: CustomersDeps & PersonalDataDeps) =>
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
    async handler(request) {
      const { reason } = request.body;
      const auditContext = auditContextFor(request, deps.clock.now(), reason);
      const erased = await eraseCustomer(deps, request.params.id, auditContext);
      if (!erased) throw request.notFound();
      for (const id of erased.endedSessionIds) deps.endedSessions.add(id);
      return erased.customer;
    },
  });
