import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { preferredLanguage } from '#platform/http/problem-body.ts';
import type { Decisions } from '../decisions.ts';
import { nothingOffered } from '../problems.ts';
import { WalletCredit } from '../schemas.ts';
import { acceptGrowth, showCredit } from '../wallet-credit.ts';

export const postWalletCreditAccept = ({ db, clock, events }: Decisions) =>
  endpoint('POST /wallet/credit/accept', {
    access: { scope: 'wallet', customer: true },
    id: 'acceptCreditLimit',
    summary: 'Say yes to the limit that is offered',
    answers: { 200: { description: 'The limit, which counts now.', schema: WalletCredit } },
    problems: [nothingOffered],
    async handler(request) {
      const { customerId } = request.caller;
      await customerTransaction(db, customerId, (tx) =>
        acceptGrowth(tx, customerId, { events, now: clock.now() }),
      );
      return showCredit(db, customerId, preferredLanguage(request.headers['accept-language']));
    },
  });
