import { rateLimited } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { changeByCustomer } from '#platform/privacy/trail.ts';
import type { Customers } from '../customers.ts';
import { changeOwnEmail } from '../own-account.ts';
import { NewEmail } from '../own-schemas.ts';
import { codeWrong } from '../problems.ts';
import { Customer } from '../schemas.ts';

export const putWalletEmail = (customers: Customers) =>
  endpoint('PUT /wallet/email', {
    access: { scope: 'wallet', customer: true },
    id: 'changeOwnEmail',
    summary: 'Change the e-mail of the customer',
    description: 'With a code that `POST /wallet/auth/otp` sent to the phone of the customer.',
    body: NewEmail,
    answers: { 200: { description: 'The customer.', schema: Customer } },
    problems: [codeWrong, rateLimited],
    handler(request) {
      const { caller, body } = request;
      return changeOwnEmail(
        customers,
        { caller, change: changeByCustomer(request, customers.clock.now()) },
        body,
      );
    },
  });
