import { clientIpHeader, rateLimited } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { checkPhone } from '../check-phone.ts';
import type { Customers } from '../customers.ts';
import { PhoneCheck, PhoneForm } from '../schemas.ts';

export const postWalletAuthPhoneCheck = (customers: Customers) =>
  endpoint('POST /wallet/auth/phone-check', {
    access: { scope: 'wallet' },
    id: 'checkPhone',
    summary: 'Whether a phone can log in, and how',
    description: 'At most 10 a minute about one phone, and 30 a minute from one address.',
    headers: clientIpHeader,
    body: PhoneForm,
    answers: { 200: { description: 'What the phone can do.', schema: PhoneCheck } },
    problems: [rateLimited],
    handler: (request) => checkPhone(customers, request.body.phone, request.caller.address),
  });
