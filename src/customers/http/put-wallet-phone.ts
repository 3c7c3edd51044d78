import { rateLimited } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { changeByCustomer } from '#platform/privacy/trail.ts';
import type { Customers } from '../customers.ts';
import { changeOwnPhone } from '../own-account.ts';
import { NewPhone } from '../phone-changes/forms.ts';
import { codeWrong, phoneTaken } from '../problems.ts';
import { Login } from '../schemas.ts';

export const putWalletPhone = (customers: Customers) =>
  endpoint('PUT /wallet/phone', {
    access: { scope: 'wallet', customer: true },
    id: 'changeOwnPhone',
    summary: 'Change the phone of the customer',
    description:
      'With two codes that `POST /wallet/auth/otp` sent: one to the new phone, and in `current` one to the phone that counts so far. It ' +
      'counts at once. All sessions end, and the answer begins a new one. Whoever has lost the old phone asks the operator.',
    body: NewPhone,
    answers: { 200: { description: 'Logged in with the new phone.', schema: Login } },
    problems: [codeWrong, phoneTaken, rateLimited],
    handler(request) {
      const { caller, body } = request;
      return changeOwnPhone(
        customers,
        { caller, change: changeByCustomer(request, customers.clock.now()) },
        body,
      );
    },
  });
