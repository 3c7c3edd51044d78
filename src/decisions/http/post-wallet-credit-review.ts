import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { askReview } from '../ask-review.ts';
import type { Decisions } from '../decisions.ts';
import { ReviewAsked } from '../schemas.ts';

export const postWalletCreditReview = ({ db, clock, events, settings }: Decisions) =>
  endpoint('POST /wallet/credit/review', {
    access: { scope: 'wallet', customer: true },
    id: 'askCreditReview',
    summary: 'Ask for a person to look at the limit',
    description:
      'Everybody may have a decision about them looked at by a person (LGPD art. 20). The answer comes as a message. Asked again ' +
      'while it waits, it is the same.',
    answers: {
      200: { description: 'A person was asked already.', schema: ReviewAsked },
      201: { description: 'A person will look at it.', schema: ReviewAsked },
    },
    async handler(request, reply) {
      const { customerId } = request.caller;
      const { row, isNew } = await customerTransaction(db, customerId, (tx) =>
        askReview(tx, customerId, { events, now: clock.now(), settings }),
      );
      return reply.code(isNew ? 201 : 200).send({ id: row.id, asked_at: row.decided_at.toISOString() });
    },
  });
