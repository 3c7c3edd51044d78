import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import type { Customers } from '../customers.ts';
import { eraseCustomer, type PersonalDeps } from '../export-customer.ts';
import { customerErased, moneyOwed } from '../problems.ts';
import { ErasureForm, OperatorCustomer, ofCustomer } from '../schemas.ts';

export const postAdminCustomersIdErase = (deps: Customers & PersonalDeps) =>
  endpoint('POST /admin/customers/:id/erase', {
    access: { scope: 'operator', role: 'admin' },
    id: 'eraseCustomer',
    summary: 'Make a customer unrecognisable, for good',
    description:
      'Name, phone, e-mail, CPF, birth date and password go, and whatever else tells who it was, in every table; sessions end. ' +
      'Purchases, payments and the ledger stay, of nobody. Phone and CPF are free to be registered again. Refused while money is owed.',
    ...ofCustomer,
    body: ErasureForm,
    answers: { 200: { description: 'What is left.', schema: OperatorCustomer } },
    problems: [moneyOwed, customerErased],
    async handler(request) {
      const { reason } = request.body;
      const change = changeBy(request, deps.clock.now(), reason);
      const erased = await eraseCustomer(deps, request.params.id, change);
      if (!erased) throw request.notFound();
      for (const id of erased.endedSessions) deps.ended.note(id);
      return erased.customer;
    },
  });
