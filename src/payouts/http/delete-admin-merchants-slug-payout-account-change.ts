import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy, recordChange } from '#platform/privacy/trail.ts';
import { payoutAccountSubject, stopAccountChange } from '../payout-account.ts';
import type { Payouts } from '../payouts.ts';
import { noAccountChange } from '../problems.ts';
import { ofMerchant, PayoutAccount } from '../schemas.ts';

export const deleteAdminMerchantsSlugPayoutAccountChange = ({ db, clock }: Payouts) =>
  endpoint('DELETE /admin/merchants/:slug/payout-account/change', {
    access: { scope: 'operator', role: 'support' },
    id: 'stopPayoutAccountChange',
    summary: 'Stop a change of where a merchant is paid',
    description: 'What an owner asked for and what waits. The account stays as it is.',
    ...ofMerchant,
    answers: { 200: { description: 'The account.', schema: PayoutAccount } },
    problems: [noAccountChange],
    handler(request) {
      const { slug } = request.params;
      const change = changeBy(request, clock.now());
      return db.transaction((tx) =>
        recordChange(tx, change, { of: payoutAccountSubject, id: slug }, () => stopAccountChange(tx, slug)),
      );
    },
  });
