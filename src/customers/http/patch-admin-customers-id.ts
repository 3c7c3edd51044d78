import { parseReais } from '#core/money.ts';
import { requireFieldRoles } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { ifMatchHeader } from '#platform/http/etag.ts';
import { changeBy, changeProblems } from '#platform/privacy/trail.ts';
import { changeCustomer } from '../change-customer.ts';
import type { Customers } from '../customers.ts';
import { customerErased, phoneTaken } from '../problems.ts';
import { CustomerChangeForm, OperatorCustomer, ofCustomer } from '../schemas.ts';
import { findListedCustomer } from '../store.ts';

const FIELD_ROLES = { credit_limit: 'finance' } as const;

export const patchAdminCustomersId = (customers: Customers) =>
  endpoint('PATCH /admin/customers/:id', {
    access: { scope: 'operator', role: 'support', fields: FIELD_ROLES },
    id: 'changeCustomer',
    summary: 'Change name, e-mail, phone or limit of a customer',
    description:
      'Only what is sent changes. A new phone waits as `phone_change`, and takes effect in 24 hours, or earlier when it is ' +
      'confirmed. The old phone is told, and all sessions end. A newer change of the phone replaces one that waits. The limit needs ' +
      'the role `finance`.',
    ...ofCustomer,
    headers: ifMatchHeader,
    body: CustomerChangeForm,
    answers: { 200: { description: 'The customer.', schema: OperatorCustomer, etag: true } },
    approval: {
      kind: 'limit',
      async stake({ params: { id }, body, caller }) {
        if (body.credit_limit === undefined) return undefined;
        requireFieldRoles(caller, FIELD_ROLES, body);
        const amount = parseReais(body.credit_limit)!;
        const customer = await findListedCustomer(customers.db, id, customers.creditUsed);
        return customer && amount > customer.credit_limit_cents ? { amount, subject: id } : undefined;
      },
    },
    problems: [...changeProblems, phoneTaken, customerErased],
    async handler(request) {
      const { credit_limit, reason, ...contact } = request.body;
      requireFieldRoles(request.caller, FIELD_ROLES, request.body);
      const creditLimit = credit_limit === undefined ? undefined : parseReais(credit_limit)!;
      const change = changeBy(request, customers.clock.now(), reason);
      const changed = await changeCustomer(
        customers,
        request.params.id,
        { ...contact, creditLimit },
        { change, ifMatch: request.headers['if-match'] },
      );
      for (const id of changed?.endedSessions ?? []) customers.ended.note(id);
      return changed?.customer;
    },
  });
