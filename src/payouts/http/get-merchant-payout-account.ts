import { endpoint } from '#platform/http/endpoint.ts';
import { findPayoutAccount } from '../account-store.ts';
import { renderAccount } from '../payout-account.ts';
import type { Payouts } from '../payouts.ts';
import { OwnPayoutAccount } from '../schemas.ts';

export const getMerchantPayoutAccount = ({ db }: Payouts) =>
  endpoint('GET /merchant/payout-account', {
    access: { scope: 'till', member: 'owner' },
    id: 'getOwnPayoutAccount',
    summary: 'Show where you are paid',
    answers: { 200: { description: 'The account; null where nothing is known.', schema: OwnPayoutAccount } },
    handler: async ({ caller }) => renderAccount(await findPayoutAccount(db, caller.merchantId)),
  });
