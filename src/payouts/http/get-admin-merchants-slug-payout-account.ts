import { findSellingMerchant } from '#catalog';
import { endpoint } from '#platform/http/endpoint.ts';
import { findPayoutAccount } from '../account-store.ts';
import { renderAccount } from '../payout-account.ts';
import type { Payouts } from '../payouts.ts';
import { ofMerchant, PayoutAccount } from '../schemas.ts';

export const getAdminMerchantsSlugPayoutAccount = ({ db }: Payouts) =>
  endpoint('GET /admin/merchants/:slug/payout-account', {
    access: { scope: 'operator', role: 'viewer' },
    id: 'getPayoutAccount',
    summary: 'Show where a merchant is paid',
    ...ofMerchant,
    answers: {
      200: { description: 'The account; null where nothing is known.', schema: PayoutAccount, etag: true },
    },
    async handler(request) {
      const merchant = await findSellingMerchant(db, request.params.slug);
      return merchant && renderAccount(await findPayoutAccount(db, merchant.id));
    },
  });
