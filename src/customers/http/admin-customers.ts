import { Type } from 'typebox';
import { cents, parseReais } from '#core/values/money.ts';
import { rateLimited, requireFieldRoles } from '#partners';
import { type CustomerTx, forNewCustomers } from '#platform/database/customer-transaction.ts';
import { seesUnmasked } from '#platform/http/access.ts';
import { buildAmountChange } from '#platform/http/approval.ts';
import { enforceLimits } from '#platform/http/attempt-limits.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { ifMatchHeader } from '#platform/http/etag.ts';
import { createOnce } from '#platform/http/idempotency.ts';
import {
  cursorParameters,
  getReadingOrder,
  listResponse,
  respondWithList,
  SORTS,
} from '#platform/http/list-query.ts';
import { pageParameters } from '#platform/http/pagination.ts';
import {
  createAuditContext,
  preconditionProblems,
  recordAuditEntry,
  recordView,
} from '#platform/privacy/audit-trail.ts';
import { changeCustomer, lockCustomer, readPendingPhoneChange, unlockCustomer } from '../change-customer.ts';
import { registerCustomerByStaff } from '../create-customer.ts';
import type { CustomersDeps } from '../customers.ts';
import { hashPhone } from '../identity.ts';
import { buildRegistrationCounter } from '../limits.ts';
import {
  cpfTaken,
  customerErased,
  passwordTooCommon,
  phoneTaken,
  referralCodeUnknown,
  underage,
} from '../problems.ts';
import { renderCustomerItem, renderForStaff } from '../render-customer.ts';
import {
  CustomerChangeForm,
  CustomerForm,
  CustomerItem,
  customerResource,
  customerSearchParameters,
  OperatorCustomer,
  ReasonForm,
} from '../schemas.ts';
import { addOverdueAmounts, buildCustomerSearch } from '../search-customers.ts';
import { findCustomerForStaff } from '../store.ts';

export const getAdminCustomers = (deps: CustomersDeps) =>
  endpoint('GET /admin/customers', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'listCustomers',
    summary: 'List customers',
    query: Type.Object({
      ...pageParameters(),
      ...cursorParameters(),
      sort: Type.Enum([...SORTS], { default: 'oldest', description: 'Sort order by registration.' }),
      ...customerSearchParameters,
    }),
    cli: {
      columns:
        'id, name, phone, email, cpf, credit.limit, credit.used, overdue.amount, overdue.since, locked_at',
      emptyText: "No customers. Register one with 'semana customers create'.",
    },
    responses: listResponse('A page of customers.', CustomerItem),
    async handler(request, reply) {
      const { q, name, phone, email, cpf, status } = request.query;
      const search = { q, name, phone, email, cpf };
      const wholeWords = !seesUnmasked(request.caller);
      const readingOrder = getReadingOrder(request.query);
      const listQuery = await buildCustomerSearch(deps, { ...search, status, readingOrder, wholeWords });
      return respondWithList(deps.db, { request, reply }, listQuery, {
        item: CustomerItem,
        hasLinkHeader: Object.values(search).every((value) => value === undefined),
        render: async (rows) =>
          (await addOverdueAmounts(deps, rows)).map((customer) =>
            renderCustomerItem(customer, deps.identities),
          ),
      });
    },
  });

/** Support cannot create customers who can buy: the credit policy decides on the limit, and only the owner of the phone sets a password. */
const REGISTRATION_ACCESS = { scope: 'operator', role: 'support' } as const;
const REGISTRATION_FIELD_ACCESS = {
  ...REGISTRATION_ACCESS,
  fieldRoles: { credit_limit: 'risk', password: 'admin' },
} as const;

export const postAdminCustomers = (deps: CustomersDeps) =>
  endpoint('POST /admin/customers', {
    access: REGISTRATION_ACCESS,
    id: 'createCustomer',
    summary: 'Register a customer',
    description:
      'A phone and a CPF belong to one customer each. `referral_code` is the code of the customer who invited this one; an unknown ' +
      'code is refused, and no customer is registered. Without `credit_limit`, which requires `risk`, the limit is 0 until the customer logs ' +
      'in with a code; then the credit policy decides. `password` requires `admin`. At most CUSTOMERS_PER_STAFF_USER a day.',
    idempotent: true,
    body: CustomerForm,
    cli: { confirm: false, prints: ['id'], done: 'Customer registered.' },
    responses: {
      201: {
        description: 'The customer.',
        schema: OperatorCustomer,
        headers: { Location: 'Path of the customer in the staff API.' },
      },
    },
    approval: {
      kind: 'limit',
      role: 'risk',
      async describe({ body, caller }) {
        requireFieldRoles(caller, REGISTRATION_FIELD_ACCESS, body);
        const { name, phone, credit_limit } = body;
        const amount = parseReais(credit_limit ?? 0)!;
        if (amount === 0) return undefined;
        // The customer has no id yet. Equal requests must have the same subject, so it is derived from the phone.
        const id = `new_${hashPhone(deps.vault, phone).toString('hex').slice(0, 24)}`;
        return {
          amount,
          subject: { kind: 'customer', id, name, isPerson: true },
          change: [
            { field: 'name', before: null, after: name, mask: 'name' },
            { field: 'phone', before: null, after: phone, mask: 'phone' },
            buildAmountChange('credit_limit', null, amount),
          ],
        };
      },
    },
    problems: [passwordTooCommon, phoneTaken, cpfTaken, underage, referralCodeUnknown, rateLimited],
    async handler(request, reply) {
      const { db, clock, hashers, identities, vault } = deps;
      const { password, ...form } = request.body;
      requireFieldRoles(request.caller, REGISTRATION_FIELD_ACCESS, request.body);
      // Hashed before the transaction, so that no lock is held while hashing.
      const passwordHash =
        password === undefined
          ? null
          : await hashers.withHasher(request.caller, (hasher) => hasher.hash(password, form));
      const auditContext = createAuditContext(request, clock.now());
      const register = async (tx: CustomerTx) => {
        await enforceLimits(tx, [buildRegistrationCounter(deps, request.caller.staffUserId)], clock.now());
        const newCustomer = await registerCustomerByStaff(tx, form, passwordHash, deps);
        const view = { ...renderForStaff(newCustomer, identities), phone_change: null };
        await recordAuditEntry(tx, auditContext, { kind: 'customer', id: view.id }, view);
        return view;
      };
      // A keyed hash, because CPF and password could be guessed from a plain hash.
      const fingerprint = vault.hash('request', JSON.stringify(request.body)).toString('base64');
      const customer = await createOnce(
        forNewCustomers(db),
        { request, reply, now: clock.now() },
        register,
        fingerprint,
      );
      return reply.header('location', `/admin/customers/${customer.id}`).send(customer);
    },
  });

export const getAdminCustomersId = ({ db, clock, identities, selectCreditUsed }: CustomersDeps) =>
  endpoint('GET /admin/customers/:id', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getCustomer',
    summary: 'Get a customer',
    description: 'A view of unmasked data is recorded in the audit trail, as `view:ID`.',
    ...customerResource,
    approvalOf: { kind: 'customer', idField: 'id' },
    responses: { 200: { description: 'The customer.', schema: OperatorCustomer, etag: true } },
    async handler(request) {
      const customer = await findCustomerForStaff(db, request.params.id, selectCreditUsed);
      if (!customer) return undefined;
      if (seesUnmasked(request.caller))
        await db.transaction((tx) => recordView(tx, request, customer.id, clock.now()));
      return {
        ...renderForStaff(customer, identities),
        ...(await readPendingPhoneChange(db, customer.id)),
      };
    },
  });

const CHANGE_ACCESS = { scope: 'operator', role: 'support', fieldRoles: { credit_limit: 'risk' } } as const;

export const patchAdminCustomersId = (deps: CustomersDeps) =>
  endpoint('PATCH /admin/customers/:id', {
    access: CHANGE_ACCESS,
    id: 'changeCustomer',
    summary: 'Change a customer',
    description:
      'Changes only the fields that are sent. A new phone is returned as `phone_change`, and takes effect in 24 hours, or earlier if ' +
      'it is confirmed. The old phone gets a message, and all sessions end. A newer phone change replaces the pending one. Changing ' +
      'the limit requires the role `risk`.',
    ...customerResource,
    headers: ifMatchHeader,
    body: CustomerChangeForm,
    cli: { confirm: 'This changes the data of {id}.', done: '{name}: credit limit {credit.limit}.' },
    responses: { 200: { description: 'The customer.', schema: OperatorCustomer, etag: true } },
    approval: {
      kind: 'limit',
      role: 'risk',
      fields: ['credit_limit', 'reason'],
      async describe({ params: { id }, body, caller }) {
        if (body.credit_limit === undefined) return undefined;
        requireFieldRoles(caller, CHANGE_ACCESS, body);
        const amount = parseReais(body.credit_limit)!;
        const customer = await findCustomerForStaff(deps.db, id, deps.selectCreditUsed);
        if (!customer || amount <= customer.credit_limit_cents) return undefined;
        const { name } = renderForStaff(customer, deps.identities);
        return {
          amount,
          subject: { kind: 'customer', id, name, isPerson: true },
          change: [buildAmountChange('credit_limit', cents(customer.credit_limit_cents), amount)],
        };
      },
    },
    problems: [...preconditionProblems, phoneTaken, customerErased],
    handler(request) {
      const { credit_limit, reason, ...contact } = request.body;
      requireFieldRoles(request.caller, CHANGE_ACCESS, request.body);
      const creditLimit = credit_limit === undefined ? undefined : parseReais(credit_limit)!;
      const auditContext = createAuditContext(request, deps.clock.now(), reason);
      const patch = { ...contact, creditLimit };
      const ifMatch = request.headers['if-match'];
      return changeCustomer(deps, request.params.id, patch, { auditContext, ifMatch });
    },
  });

export const postAdminCustomersIdLock = (deps: CustomersDeps) =>
  endpoint('POST /admin/customers/:id/lock', {
    access: { scope: 'operator', role: 'support' },
    id: 'lockCustomer',
    summary: 'Lock a customer',
    description:
      'Ends all sessions and refuses new logins, immediately and on every node. A login is refused like one with a wrong password.',
    ...customerResource,
    body: ReasonForm,
    bodyOptional: true,
    cli: { done: '{name} is locked, and all sessions have ended.' },
    responses: { 200: { description: 'The customer.', schema: OperatorCustomer } },
    problems: [customerErased],
    handler(request) {
      const auditContext = createAuditContext(request, deps.clock.now(), request.body.reason);
      return lockCustomer(deps, request.params.id, auditContext);
    },
  });

export const postAdminCustomersIdUnlock = (deps: CustomersDeps) =>
  endpoint('POST /admin/customers/:id/unlock', {
    access: { scope: 'operator', role: 'support' },
    id: 'unlockCustomer',
    summary: 'Unlock a customer',
    description:
      'Also resets the counts of wrong passwords and codes of the phone; the audit trail records them. Sessions that the lock ended ' +
      'stay ended.',
    ...customerResource,
    body: ReasonForm,
    bodyOptional: true,
    cli: { done: '{name} is unlocked.' },
    responses: { 200: { description: 'The customer.', schema: OperatorCustomer } },
    problems: [customerErased],
    handler(request) {
      const auditContext = createAuditContext(request, deps.clock.now(), request.body.reason);
      return unlockCustomer(deps, request.params.id, auditContext);
    },
  });
