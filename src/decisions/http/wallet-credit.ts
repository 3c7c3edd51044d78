import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { negotiateLanguage } from '#platform/http/problem-body.ts';
import { requestReview } from '../answer-review.ts';
import type { DecisionsDeps } from '../decisions.ts';
import { nothingOffered } from '../problems.ts';
import { ReviewRequested, WalletCredit } from '../schemas.ts';
import { acceptOfferedLimit, readWalletCredit } from '../wallet-credit.ts';

export const getWalletCredit = ({ db, clock }: DecisionsDeps) =>
  endpoint('GET /wallet/credit', {
    access: { scope: 'wallet', customer: true },
    id: 'getCredit',
    summary: 'Get the credit of the customer',
    description:
      'The limit with reasons. Sentences are in Portuguese if `Accept-Language` prefers it, else in English.',
    responses: { 200: { description: 'The credit.', schema: WalletCredit } },
    handler: (request) =>
      readWalletCredit(db.shared, request.caller.customerId, {
        language: negotiateLanguage(request.headers['accept-language']),
        now: clock.now(),
      }),
  });

export const postWalletCreditAccept = ({ db, clock, events }: DecisionsDeps) =>
  endpoint('POST /wallet/credit/accept', {
    access: { scope: 'wallet', customer: true },
    id: 'acceptCreditLimit',
    summary: 'Accept the offered limit',
    responses: { 200: { description: 'The credit, with the new limit.', schema: WalletCredit } },
    problems: [nothingOffered],
    async handler(request) {
      const { customerId } = request.caller;
      const now = clock.now();
      await customerTransaction(db, customerId, (tx) => acceptOfferedLimit(tx, customerId, { events, now }));
      const language = negotiateLanguage(request.headers['accept-language']);
      return readWalletCredit(db, customerId, { language, now });
    },
  });

export const postWalletCreditReview = ({ db, clock, events, settings }: DecisionsDeps) =>
  endpoint('POST /wallet/credit/review', {
    access: { scope: 'wallet', customer: true },
    id: 'askCreditReview',
    summary: 'Request a credit review',
    description:
      'Requests a review of the limit by a person (LGPD art. 20). The customer gets the result as a message. Returns the existing review ' +
      'while it is pending.',
    responses: {
      200: { description: 'A review is already pending.', schema: ReviewRequested },
      201: { description: 'The review is requested.', schema: ReviewRequested },
    },
    async handler(request, reply) {
      const { customerId } = request.caller;
      const { row, isNew } = await customerTransaction(db, customerId, (tx) =>
        requestReview(tx, customerId, { events, now: clock.now(), settings }),
      );
      return reply.code(isNew ? 201 : 200).send({ id: row.id, asked_at: row.decided_at.toISOString() });
    },
  });
