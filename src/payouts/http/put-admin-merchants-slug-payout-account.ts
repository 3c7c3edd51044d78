import { endpoint } from '#platform/http/endpoint.ts';
import { ifMatchHeader } from '#platform/http/etag.ts';
import { changeBy, changeProblems, recordChange } from '#platform/privacy/trail.ts';
import { changePayoutAccount, payoutAccountSubject } from '../payout-account.ts';
import type { Payouts } from '../payouts.ts';
import { ofMerchant, PayoutAccount, PayoutAccountForm } from '../schemas.ts';

export const putAdminMerchantsSlugPayoutAccount = ({ db, clock }: Payouts) =>
  endpoint('PUT /admin/merchants/:slug/payout-account', {
    access: { scope: 'operator', role: 'finance' },
    id: 'setPayoutAccount',
    summary: 'Set where a merchant is paid',
    description:
      'Payouts show it from then on, those that are pending too, and so does their CSV for the bank. A change that an owner asked for ' +
      'and that waits is gone. The owners are told.',
    ...ofMerchant,
    headers: ifMatchHeader,
    body: PayoutAccountForm,
    answers: { 200: { description: 'The account.', schema: PayoutAccount, etag: true } },
    approval: {
      kind: 'payout_account',
      stake: async ({ params: { slug } }) => ({ amount: null, subject: slug }),
    },
    problems: changeProblems,
    async handler(request) {
      const { slug } = request.params;
      const change = changeBy(request, clock.now());
      const subject = { of: payoutAccountSubject, id: slug, ifMatch: request.headers['if-match'] };
      return db.transaction((tx) =>
        recordChange(tx, change, subject, () => changePayoutAccount(tx, slug, request.body, change.now)),
      );
    },
  });
