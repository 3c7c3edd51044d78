import { Type } from 'typebox';
import { Installment } from '#credit';
import { PageOf } from '#platform/http/pagination.ts';
import { WithCustomerName } from '#platform/http/personal.ts';
import {
  Form,
  Id,
  idOrPhone,
  idPattern,
  Reais,
  Text,
  TextOrNull,
  Timestamp,
} from '#platform/http/schemas.ts';
import { REFERRAL_STATUSES } from './staff-store.ts';
import { CASHBACK_KINDS } from './store/movements.ts';

/** Bounded against typing errors. */
export const MOST_ADJUSTED = 100_000;

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
      'What the customer has now. Below zero when cashback was taken back that had been used; what is earned next fills it up',
    ),
    pending: Reais('What the open installments would still earn if all were paid on time'),
    expiring: Type.Array(
      Type.Object({
        amount: Reais('How much'),
        expires_on: Type.String({
          format: 'date',
          description: 'The last day on which it counts, in São Paulo.',
        }),
      }),
      { description: 'All that is available, by the day it ends, the next first.' },
    ),
    lifetime_earned: Reais(
      'All that was ever earned, by paying on time and by inviting, less what was taken back',
    ),
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
        '`earned` by paying an installment on time, `referral` for an invitation, `redeemed` to pay an installment ' +
        '(above zero: that was not owed after all), `expired`, ' +
        '`reversed`: taken back because a payment was, `adjusted` by the operator.',
    }),
    amount: Reais('Above zero what came, below zero what went'),
    balance_after: Reais('What the customer had then'),
    description: Type.String({ description: 'For the customer, in Portuguese.' }),
    checkout_hash: TextOrNull({
      pattern: '^[0-9A-Za-z]{22}$',
      description: 'The purchase it is about, if it is about one.',
    }),
    installment_id: TextOrNull({
      pattern: idPattern('ins'),
      description: 'The installment that earned it, or was paid with it.',
    }),
    occurred_at: Timestamp(),
    expires_on: TextOrNull({
      format: 'date',
      description: 'Of what came: the last day on which it counts, in São Paulo.',
    }),
  },
  { $id: 'CashbackEntry', examples: [exampleEntry] },
);

export const CashbackLedger = PageOf(CashbackEntry, 'CashbackLedger');

export const InstallmentParams = Type.Object({
  id: Id('ins', { description: 'The installment, as in its purchase.' }),
});

export const RedemptionRequest = Form(
  {
    value: Type.Optional(
      Type.Number({
        format: 'reais',
        description:
          'How much, in reais: at most what is available and what settles the installment now, which it is unless sent.',
      }),
    ),
  },
  { $id: 'RedemptionRequest', examples: [{ value: 5 }] },
);

export const Redemption = Type.Object(
  {
    installment: Installment,
    applied: Type.Number({ description: 'What was spent, in reais.', examples: [5] }),
    balance: Type.Number({ description: 'What is available now, in reais.', examples: [19.6] }),
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
  name: Type.String({ description: 'Masked: the first name, of others the first letter.' }),
  status: Type.Enum(['registered', 'rewarded', 'expired'], {
    description:
      '`registered` with the code, `rewarded` once enough was paid (`reward.min_paid`), `expired` after 90 days without.',
  }),
  invited_at: Timestamp(),
  rewarded_at: TextOrNull({ format: 'date-time' }),
  reward: Reais('What the customer got for it'),
});

export const Referral = Type.Object(
  {
    code: Type.String({ description: 'To be read aloud: no 0, O, 1, I or L.' }),
    link: Type.String({ format: 'uri', description: 'To be shared.' }),
    reward: Type.Object({
      referrer: Reais('What an invitation that is made now brings the customer'),
      invited: Reais('What it brings the invited'),
      min_paid: Reais(
        'What the invited must have paid off installments by PIX, penalties and fees not counted',
      ),
    }),
    summary: Type.Object({
      invited: Type.Integer({ description: 'How many came with the code.' }),
      rewarded: Type.Integer({ description: 'How many of them paid enough in time.' }),
      earned: Reais('What that brought the customer'),
    }),
    invitations: Type.Array(Invitation, { description: 'The newest first.' }),
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

/** Of the endpoints of one customer. */
export const ofCustomer = {
  params: CashbackParams,
  notFound: { en: 'There is no such customer.', pt: 'Este cliente não existe.' },
};

export const CashbackAdjustment = Form(
  {
    amount: Type.Unsafe<number>({
      type: 'number',
      format: 'reais',
      minimum: -MOST_ADJUSTED,
      maximum: MOST_ADJUSTED,
      not: { const: 0 },
      description: 'Above zero what the customer gets, below zero what is taken, in reais.',
    }),
    reason: Text(200, { description: 'Why; the customer reads it.' }),
    reference: Type.Optional(
      Text(100, { description: 'What you call it, e.g. a ticket: for one customer it counts once.' }),
    ),
  },
  {
    $id: 'CashbackAdjustment',
    examples: [{ amount: 5, reason: 'Desculpe pelo transtorno', reference: 'TICKET-1234' }],
  },
);

export const StaffReferral = Type.Object(
  {
    referrer_id: Id('cus', { description: 'Who invited.' }),
    invited_id: Id('cus'),
    status: Type.Enum([...REFERRAL_STATUSES], {
      description:
        '`rewarded` while enough of what was paid in time stands; `expired` after 90 days without.',
    }),
    promised: Type.Object({ referrer: Reais('To who invited'), invited: Reais('To the invited') }),
    reward: Reais('What who invited got'),
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

export const ReferralOrder = Form(
  {
    customer: Text(80, { description: 'Id or phone of the invited customer.' }),
    code: Text(40, { description: 'Referral code of the customer who invited.' }),
  },
  {
    $id: 'ReferralOrder',
    examples: [{ customer: '+5511987650003', code: 'K7RW29AX' }],
  },
);
