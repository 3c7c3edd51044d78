import { defineModule } from '#module';
import { payoutsAuditor } from './audit.ts';
import { payoutCreate } from './commands/payout-create.ts';
import { payoutFailed } from './commands/payout-failed.ts';
import { payoutList } from './commands/payout-list.ts';
import { payoutPaid } from './commands/payout-paid.ts';
import { payoutShow } from './commands/payout-show.ts';
import { getAdminPayouts } from './http/get-admin-payouts.ts';
import { getAdminPayoutsId } from './http/get-admin-payouts-id.ts';
import { getMerchantPayouts } from './http/get-merchant-payouts.ts';
import { getMerchantPayoutsId } from './http/get-merchant-payouts-id.ts';
import { getMerchantStatement } from './http/get-merchant-statement.ts';
import { postAdminPayouts } from './http/post-admin-payouts.ts';
import { postAdminPayoutsIdFailed } from './http/post-admin-payouts-id-failed.ts';
import { postAdminPayoutsIdPaid } from './http/post-admin-payouts-id-paid.ts';
import { onCheckoutCreated, onCheckoutReturned } from './on-sale.ts';
import { payoutClosed } from './problems.ts';

export const payoutsModule = defineModule({
  name: 'payouts',
  tags: { staff: [{ name: 'Payouts', description: 'What merchants are owed and paid.' }] },
  problems: [payoutClosed],
  handlers: () => ({
    'checkout.created': [onCheckoutCreated],
    'checkout.returned': [onCheckoutReturned],
  }),
  auditor: payoutsAuditor,
  commands: ({ events }) => [payoutCreate, payoutList, payoutShow, payoutPaid(events), payoutFailed],
  open: (payouts) => ({
    front: [getMerchantPayouts(payouts), getMerchantPayoutsId(payouts), getMerchantStatement(payouts)],
    staff: [
      postAdminPayouts(payouts),
      getAdminPayouts(payouts),
      getAdminPayoutsId(payouts),
      postAdminPayoutsIdPaid(payouts),
      postAdminPayoutsIdFailed(payouts),
    ],
  }),
});
