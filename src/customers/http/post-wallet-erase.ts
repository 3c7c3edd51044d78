import { rateLimited } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { changeByCustomer } from '#platform/privacy/trail.ts';
import type { Customers } from '../customers.ts';
import type { PersonalDeps } from '../export-customer.ts';
import { eraseOwnAccount } from '../own-account.ts';
import { CodeProof } from '../phone-changes/forms.ts';
import { codeWrong, customerErased, moneyOwed } from '../problems.ts';

export const postWalletErase = (deps: Customers & PersonalDeps) =>
  endpoint('POST /wallet/erase', {
    access: { scope: 'wallet', customer: true },
    id: 'eraseOwnAccount',
    summary: 'Leave: make the customer unrecognisable, for good',
    description:
      'With a code that `POST /wallet/auth/otp` sent to the phone of the customer. Name, phone, e-mail, CPF and whatever else tells who ' +
      'it was go, and cashback that is left lapses. Refused while money is owed, either way: `stopped_by` says what it is.',
    body: CodeProof,
    answers: { 204: { description: 'Nothing tells who it was any more.' } },
    problems: [codeWrong, moneyOwed, customerErased, rateLimited],
    handler(request) {
      const { caller, body } = request;
      const change = changeByCustomer(request, deps.clock.now(), 'Pedido do titular');
      return eraseOwnAccount(deps, { caller, change }, body);
    },
  });
