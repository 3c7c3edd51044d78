import { findSellingMerchantById } from '#catalog';
import { codeWrong } from '#customers';
import { rateLimited } from '#partners';
import { endpoint } from '#platform/http/endpoint.ts';
import { changeByMember, recordChange } from '#platform/privacy/trail.ts';
import { notFound } from '#platform/problem.ts';
import { askAccountChange, payoutAccountSubject } from '../payout-account.ts';
import type { Payouts } from '../payouts.ts';
import { NO_MERCHANT } from '../problems.ts';
import { OwnPayoutAccount, OwnPayoutAccountForm } from '../schemas.ts';

export const putMerchantPayoutAccount = ({ db, clock, checkMemberCode }: Payouts) =>
  endpoint('PUT /merchant/payout-account', {
    access: { scope: 'till', member: 'owner' },
    id: 'changeOwnPayoutAccount',
    summary: 'Change where you are paid',
    description:
      'With a code that `POST /merchant/auth/otp` sent to your phone. It counts after 24 hours; until then the account stays as it is, and ' +
      '`change` shows what waits. Every owner is told, and told again when it counts. The account that counts already takes back ' +
      'a change that waits.',
    body: OwnPayoutAccountForm,
    notFound: NO_MERCHANT,
    answers: { 200: { description: 'The account, and the change that waits.', schema: OwnPayoutAccount } },
    problems: [notFound, codeWrong, rateLimited],
    async handler(request) {
      const { caller, body } = request;
      const { merchantId, memberId } = caller;
      const useCode = await checkMemberCode(caller, body);
      const change = changeByMember(request, clock.now());
      const { now } = change;
      return db.transaction(async (tx) => {
        const merchant = await findSellingMerchantById(tx, merchantId);
        if (!merchant) return undefined;
        return recordChange(tx, change, { of: payoutAccountSubject, id: merchant.slug }, async () => {
          await useCode(tx, now);
          await askAccountChange(tx, { merchantId, memberId, now }, body);
        });
      });
    },
  });
