import { findCustomerId, findName } from '#customers';
import { type Command, CommandFault } from '#platform/command-line/command.ts';
import { readCustomer } from '#platform/command-line/values.ts';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { changeByCommand, recordCreation } from '#platform/privacy/trail.ts';
import { type ReferralReward, recordInvitation } from '../record-invitation.ts';
import { showReferral } from '../render-staff.ts';

export const referralAdd = (promise: () => ReferralReward): Command => ({
  name: 'referral add',
  needs: [promise],
  summary: 'write down who invited a customer who is registered already',
  options: {
    customer: { value: 'ID', help: 'id or phone of the invited customer', required: true },
    code: { value: 'CODE', help: 'referral code of the customer who invited', required: true },
  },
  details:
    'For customers who forgot the code when they registered. The invited has settled no installment yet, and the 90 days begin now.',
  examples: ['semana referral add --customer +5511987650003 --code K7RW29AX'],
  async run(context, args) {
    const { db, print } = context;
    const change = changeByCommand(context, 'referral add');
    const [customer, code] = [args.required('customer'), args.required('code').trim()];
    const invitedId = await findCustomerId(db, readCustomer(customer));
    if (invitedId === undefined || !(await findName(db, invitedId)))
      throw new CommandFault(`There is no customer '${customer}'. See 'semana customer list'.`);
    await customerTransaction(db, invitedId, async (tx) => {
      await recordInvitation(tx, { invitedId, code, at: change.now }, promise());
      const shown = (await showReferral(tx, invitedId, change.now))!;
      await recordCreation(tx, change, { kind: 'referral', id: invitedId }, shown);
    });
    print('The invitation is written down.');
  },
});
