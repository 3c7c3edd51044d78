import { endpoint } from '#platform/http/endpoint.ts';
import { preferredLanguage } from '#platform/http/problem-body.ts';
import type { Decisions } from '../decisions.ts';
import { WalletCredit } from '../schemas.ts';
import { showCredit } from '../wallet-credit.ts';

export const getWalletCredit = ({ db }: Decisions) =>
  endpoint('GET /wallet/credit', {
    access: { scope: 'wallet', customer: true },
    id: 'getCredit',
    summary: 'Show the customer’s limit, and why it is what it is',
    description: 'Sentences are in Portuguese when `Accept-Language` prefers it, else in English.',
    answers: { 200: { description: 'The limit.', schema: WalletCredit } },
    handler: (request) =>
      showCredit(db.shared, request.caller.customerId, preferredLanguage(request.headers['accept-language'])),
  });
