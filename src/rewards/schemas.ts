import { Type } from 'typebox';
import { Installment } from '#credit';
import { WithCustomerName } from '#platform/http/masking.ts';
import { PageOf } from '#platform/http/pagination.ts';
import {
  Id,
  idOrPhone,
  idPattern,
  Reais,
  StrictObject,
  Text,
  TextOrNull,
  Timestamp,
} from '#platform/http/schemas.ts';
import { REFERRAL_STATUSES } from './staff-store.ts';
import { CASHBACK_KINDS } from './store/movements.ts';

/** Protects against typing errors. In reais. */
const MAX_ADJUSTMENT = 100_000;

const exampleBalance = {
  available: 24.6,
  pending: 3.5,
  expiring: [
    { amount: 4.6, expires_on: '2027-04-24' },
    { amount: 20, expires_on: '2027-05-12' },
  ],
  lifetime_earned: 31.1,
};

export const CashbackBalance = Type.Object(
  {
    available: Reais(
      'Available cashback. Negative if cashback that had been spent was reversed; newly earned cashback reduces the debt first',
    ),
    pending: Reais('Cashback that the open installments will earn if all are paid on time'),
    expiring: Type.Array(
      Type.Object({
        amount: Reais('Expiring amount'),
        expires_on: Type.String({
          format: 'date',
          description: 'The last day of validity, in São Paulo.',
        }),
      }),
      { description: 'The available cashback by expiry day, the next to expire first.' },
    ),
    lifetime_earned: Reais('All cashback earned by paying on time and by invitations, minus reversals'),
  },
  { $id: 'CashbackBalance', examples: [exampleBalance] },
);

const exampleEntry = {
  id: 'csh_01kfx3v9pyt2h7n0c4w8qzr5mb',
  kind: 'earned',
  amount: 1.5,
  balance_after: 24.6,
  description: 'Parcela 3 de 6 paga em dia: Ótica Vista Linda',
  checkout_hash: '3kTz9QmVb7LxWc2RfYp8Hd',
  installment_id: 'ins_01kfx3c8gq5v0m7d2h9ynwztb4',
  occurred_at: '2026-11-13T14:30:00.000Z',
  expires_on: '2027-05-12',
};

export const CashbackEntry = Type.Object(
  {
    id: Type.String({ pattern: '^(csh|exp)_[0-9a-z]{26}$' }),
    kind: Type.Enum([...CASHBACK_KINDS], {
      description:
        '`earned` by paying an installment on time. `referral`: for an invitation. `redeemed`: spent on an installment (positive if it was ' +
        'not owed after all). `expired`. `reversed`: taken back because a payment was reversed. `adjusted` by the operator.',
    }),
    amount: Reais('Positive for a credit, negative for a debit'),
    balance_after: Reais('Balance after the entry'),
    description: Type.String({ description: 'Text for the customer, in Portuguese.' }),
    checkout_hash: TextOrNull({
      pattern: '^[0-9A-Za-z]{22}$',
      description: 'The purchase of the entry, if any.',
    }),
    installment_id: TextOrNull({
      pattern: idPattern('ins'),
      description: 'The installment that earned the cashback or was paid with it.',
    }),
    occurred_at: Timestamp(),
    expires_on: TextOrNull({
      format: 'date',
      description: 'The last day of validity of a credit, in São Paulo.',
    }),
  },
  { $id: 'CashbackEntry', examples: [exampleEntry] },
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
      }),
    ),
  },
  { $id: 'RedemptionRequest', examples: [{ value: 5 }] },
);

export const Redemption = Type.Object(
  {
    installment: Installment,
    applied: Type.Number({ description: 'Spent cashback, in reais.', examples: [5] }),
    balance: Type.Number({ description: 'Available cashback, in reais.', examples: [19.6] }),
  },
  { $id: 'Redemption' },
);

const exampleReferral = {
  code: 'K7RW29AX',
  link: 'https://semana.example/convite/K7RW29AX',
  reward: { referrer: 20, invited: 10, min_paid: 30 },
  summary: { invited: 2, rewarded: 1, earned: 20 },
  invitations: [
    {
      name: 'Carla N***',
      status: 'registered',
      invited_at: '2026-11-10T12:00:00.000Z',
      rewarded_at: null,
      reward: 0,
    },
    {
      name: 'Bruno L***',
      status: 'rewarded',
      invited_at: '2026-10-02T12:00:00.000Z',
      rewarded_at: '2026-10-16T09:12:44.000Z',
      reward: 20,
    },
  ],
};

const Invitation = Type.Object({
  name: Type.String({ description: 'The first name and the first letter of the last name.' }),
  status: Type.Enum(['registered', 'rewarded', 'expired'], {
    description:
      '`registered` with the code; `rewarded` once `reward.min_paid` was paid; `expired` if that was not paid within 90 days.',
  }),
  invited_at: Timestamp(),
  rewarded_at: TextOrNull({ format: 'date-time' }),
  reward: Reais('Reward of the referrer'),
});

export const Referral = Type.Object(
  {
    code: Type.String({ description: 'Easy to read aloud: contains no 0, O, 1, I or L.' }),
    link: Type.String({ format: 'uri', description: 'Link to share.' }),
    reward: Type.Object({
      referrer: Reais('Reward of the referrer for a new invitation'),
      invited: Reais('Reward of the invited customer'),
      min_paid: Reais(
        'Amount of installments that the invited customer must pay by PIX, without penalties and fees',
      ),
    }),
    summary: Type.Object({
      invited: Type.Integer({ description: 'Number of customers who registered with the code.' }),
      rewarded: Type.Integer({ description: 'Number of them who paid enough in time.' }),
      earned: Reais('Sum of the rewards of the referrer'),
    }),
    invitations: Type.Array(Invitation, { description: 'Newest first.' }),
  },
  { $id: 'Referral', examples: [exampleReferral] },
);

const CUSTOMER = 'cus_01kfx3c8gq5v0m7d2h9ynwztb4';

export const StaffCashbackEntry = Type.Object(
  { customer_id: Id('cus'), ...CashbackEntry.properties },
  { $id: 'StaffCashbackEntry', examples: [{ customer_id: CUSTOMER, ...exampleEntry }] },
);

export const StaffCashbackItem = WithCustomerName(StaffCashbackEntry, 'StaffCashbackItem');

export const StaffCashback = Type.Object(
  { customer_id: Id('cus'), ...CashbackBalance.properties },
  { $id: 'StaffCashback', examples: [{ customer_id: CUSTOMER, ...exampleBalance }] },
);

export const StaffCashbackShown = WithCustomerName(StaffCashback, 'StaffCashbackShown');

export const CashbackParams = Type.Object({
  id: idOrPhone({ description: 'Id or phone of the customer.' }),
});

/** Path parameters and 404 text of the endpoints for one customer. */
export const customerPath = {
  params: CashbackParams,
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
      description: 'Positive to give cashback, negative to take it, in reais.',
    }),
    reason: Text(200, { description: 'The reason, which is shown to the customer.' }),
    reference: Type.Optional(
      Text(100, { description: 'Your own reference, e.g. a ticket. It can be used once per customer.' }),
    ),
  },
  {
    $id: 'CashbackAdjustment',
    examples: [{ amount: 5, reason: 'Desculpe pelo transtorno', reference: 'TICKET-1234' }],
  },
);

export const StaffReferral = Type.Object(
  {
    referrer_id: Id('cus', { description: 'The referrer.' }),
    invited_id: Id('cus'),
    status: Type.Enum([...REFERRAL_STATUSES], {
      description:
        '`rewarded` while enough was paid in time and not reversed; `expired` if not enough was paid within 90 days.',
    }),
    promised: Type.Object({
      referrer: Reais('Promised reward of the referrer'),
      invited: Reais('Promised reward of the invited customer'),
    }),
    reward: Reais('Actual reward of the referrer'),
    invited_at: Timestamp(),
    rewarded_at: TextOrNull({ format: 'date-time' }),
  },
  {
    $id: 'StaffReferral',
    examples: [
      {
        referrer_id: CUSTOMER,
        invited_id: 'cus_01kfx3s5c0p2q4r6t8w0y2a4c6',
        status: 'registered',
        promised: { referrer: 20, invited: 10 },
        reward: 0,
        invited_at: '2026-11-15T12:00:00.000Z',
        rewarded_at: null,
      },
    ],
  },
);

export const ReferralOrder = StrictObject(
  {
    customer: Text(80, { description: 'Id or phone of the invited customer.' }),
    code: Text(40, { description: 'Referral code of the referrer.' }),
  },
  {
    $id: 'ReferralOrder',
    examples: [{ customer: '+5511987650003', code: 'K7RW29AX' }],
  },
);
