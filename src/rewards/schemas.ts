import { Type } from 'typebox';
import { Installment } from '#credit';
import { CheckoutHashOrNull } from '#events';
import { WithCustomerName } from '#platform/http/masking.ts';
import { PageOf } from '#platform/http/pagination.ts';
import {
  Id,
  IdOrNull,
  IntegerField,
  idOrPhone,
  Reais,
  StrictObject,
  Text,
  TextField,
  TextOrNull,
  Timestamp,
} from '#platform/http/schemas.ts';
import { INVITATION_STATUSES } from './reading-store.ts';
import { CASHBACK_KINDS } from './store/cashback.ts';

/** The maximum of an adjustment in reais, which protects against typing errors. */
const MAX_ADJUSTMENT = 100_000;

export const CashbackBalance = Type.Object(
  {
    available: Reais(
      'Available cashback (negative if cashback that had been spent was reversed; newly earned cashback then reduces the debt)',
      { examples: [24.6] },
    ),
    pending: Reais('Cashback that the open installments will earn if they are all paid on time', {
      examples: [3.5],
    }),
    expiring: Type.Array(
      Type.Object({
        amount: Reais('Expiring amount', { examples: [24.6] }),
        expires_on: Type.String({
          format: 'date',
          description: 'The last day of validity, in São Paulo.',
          examples: ['2027-04-24'],
        }),
      }),
      { description: 'The available cashback by expiry day, the next to expire first.' },
    ),
    lifetime_earned: Reais('All cashback earned by paying on time and by invitations, minus reversals', {
      examples: [31.1],
    }),
  },
  { $id: 'CashbackBalance' },
);

export const CashbackEntry = Type.Object(
  {
    id: Type.String({
      pattern: '^(csh|exp)_[0-9a-z]{26}$',
      examples: ['csh_01kfx3v9pyt2h7n0c4w8qzr5mb'],
    }),
    kind: Type.Enum([...CASHBACK_KINDS], {
      description:
        '`earned`: by paying an installment on time. `referral`: for an invitation. `redeemed`: spent on an installment (positive if the ' +
        'amount was credited again). `expired`: no longer valid. `reversed`: debited because a payment was reversed. `adjusted`: by the operator.',
    }),
    amount: Reais('Positive for a credit, negative for a debit', { examples: [1.5] }),
    balance_after: Reais('Balance after the entry', { examples: [24.6] }),
    description: TextField(
      'Text for the customer, in Portuguese.',
      'Parcela 3 de 6 paga em dia: Ótica Vista Linda',
    ),
    checkout_hash: CheckoutHashOrNull('The purchase of the entry, if any.'),
    installment_id: IdOrNull('ins', {
      description: 'The installment that earned the cashback or was paid with it.',
      examples: ['ins_01kfx3c8gq5v0m7d2h9ynwztb4'],
    }),
    occurred_at: Timestamp(),
    expires_on: TextOrNull({
      format: 'date',
      description: 'The last day of validity of a credit, in São Paulo.',
      examples: ['2027-05-12'],
    }),
  },
  { $id: 'CashbackEntry' },
);

export const CashbackLedger = PageOf(CashbackEntry, 'CashbackLedger');

export const InstallmentParams = Type.Object({
  id: Id('ins', { description: 'The id of the installment.' }),
});

export const RedemptionRequest = StrictObject(
  {
    value: Type.Optional(
      Type.Number({
        format: 'reais',
        description:
          'Amount to spend, in reais. At most the available cashback and the amount that settles the installment now. Defaults to that maximum.',
        examples: [5],
      }),
    ),
  },
  { $id: 'RedemptionRequest' },
);

export const Redemption = Type.Object(
  {
    installment: Installment,
    applied: Type.Number({ description: 'Spent cashback, in reais.', examples: [5] }),
    balance: Type.Number({ description: 'Available cashback, in reais.', examples: [19.6] }),
  },
  { $id: 'Redemption' },
);

const Invitation = Type.Object({
  name: TextField('The first name and the first letter of the last name.', 'Bruno L***'),
  status: Type.Enum(['registered', 'rewarded', 'expired'], {
    description:
      '`registered` with the code; `rewarded` once `reward.min_paid` was paid; `expired` if that amount was not paid within 90 days.',
    examples: ['rewarded'],
  }),
  invited_at: Timestamp(),
  rewarded_at: TextOrNull({ format: 'date-time', examples: ['2026-11-29T09:12:44.000Z'] }),
  reward: Reais('Reward of the referrer', { examples: [20] }),
});

export const Referral = Type.Object(
  {
    code: TextField('Easy to read aloud: contains no 0, O, 1, I or L.', 'K7RW29AX'),
    link: Type.String({
      format: 'uri',
      description: 'Link to share.',
      examples: ['https://semana.example/convite/K7RW29AX'],
    }),
    reward: Type.Object({
      referrer: Reais('Reward of the referrer for a new invitation', { examples: [20] }),
      invited: Reais('Reward of the invited customer', { examples: [10] }),
      min_paid: Reais(
        'Amount of installments that the invited customer must pay by PIX, without penalties and fees',
        { examples: [30] },
      ),
    }),
    summary: Type.Object({
      invited: IntegerField('Number of customers who registered with the code.', 1),
      rewarded: Type.Integer({
        description: 'Number of these customers who paid enough in time.',
        examples: [1],
      }),
      earned: Reais('Sum of the rewards of the referrer', { examples: [20] }),
    }),
    invitations: Type.Array(Invitation, { description: 'Newest first.' }),
  },
  { $id: 'Referral' },
);

export const StaffCashbackEntry = Type.Object(
  { customer_id: Id('cus'), ...CashbackEntry.properties },
  { $id: 'StaffCashbackEntry' },
);

export const StaffCashbackItem = WithCustomerName(StaffCashbackEntry, 'StaffCashbackItem');

export const StaffCashback = Type.Object(
  { customer_id: Id('cus'), ...CashbackBalance.properties },
  { $id: 'StaffCashback' },
);

export const StaffCashbackWithName = WithCustomerName(StaffCashback, 'StaffCashbackShown');

export const CustomerIdParams = Type.Object({
  id: idOrPhone({ description: 'Id or phone of the customer.' }),
});

/** Path parameters and 404 text of the endpoints for one customer. */
export const customerRoute = {
  params: CustomerIdParams,
  notFound: { en: 'There is no such customer.', pt: 'Este cliente não existe.' },
};

export const CashbackAdjustment = StrictObject(
  {
    amount: Type.Unsafe<number>({
      type: 'number',
      format: 'reais',
      minimum: -MAX_ADJUSTMENT,
      maximum: MAX_ADJUSTMENT,
      not: { const: 0 },
      description: 'Positive to credit cashback, negative to debit it, in reais.',
      examples: [5],
    }),
    reason: Text(200, {
      description: 'The reason, which is shown to the customer.',
      examples: ['Desculpe pelo transtorno'],
    }),
    reference: Type.Optional(
      Text(100, {
        description: 'Your own reference, e.g. a ticket. It can be used once per customer.',
        examples: ['TICKET-1234'],
      }),
    ),
  },
  { $id: 'CashbackAdjustment' },
);

export const StaffReferral = Type.Object(
  {
    referrer_id: Id('cus', { description: 'The referrer.' }),
    invited_id: Id('cus', { examples: ['cus_01kfx3s5c0p2q4r6t8w0y2a4c6'] }),
    status: Type.Enum([...INVITATION_STATUSES], {
      description:
        '`registered` until enough was paid; `rewarded` while enough was paid in time and not reversed; `held` while the reward waits for a staff user, because the referrer ' +
        'got several rewards for purchases at the same merchant; `refused` if a staff user refused it; `expired` if not enough was paid within 90 days.',
    }),
    promised: Type.Object({
      referrer: Reais('Promised reward of the referrer', { examples: [20] }),
      invited: Reais('Promised reward of the invited customer', { examples: [10] }),
    }),
    reward: Reais('Actual reward of the referrer'),
    invited_at: Timestamp(),
    rewarded_at: TextOrNull({ format: 'date-time' }),
    held_at: TextOrNull({ format: 'date-time', description: 'Set while the reward waits for a staff user.' }),
  },
  { $id: 'StaffReferral' },
);

export const RewardDecisionForm = StrictObject(
  {
    reason: Text(200, { description: 'Reason, for the audit trail.', examples: ['Contas da mesma casa'] }),
  },
  { $id: 'RewardDecisionForm' },
);

export const ReferralOrder = StrictObject(
  {
    customer: Text(80, { description: 'Id or phone of the invited customer.', examples: ['+5511987650003'] }),
    code: Text(40, { description: 'Referral code of the referrer.', examples: ['K7RW29AX'] }),
  },
  { $id: 'ReferralOrder' },
);
