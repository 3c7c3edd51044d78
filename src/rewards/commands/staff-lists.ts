import { CUSTOMER_OPTION, customerOption } from '#customers';
import { choiceOf, daysOf, listingCommand } from '#platform/command-line/listing.ts';
import { shownInstant } from '#platform/command-line/times.ts';
import { renderStaffMovement, renderStaffReferral } from '../render-staff.ts';
import { listedMovements, listedReferrals, REFERRAL_STATUSES } from '../staff-store.ts';
import { CASHBACK_KINDS } from '../store/movements.ts';

export const cashbackList = listingCommand({
  name: 'cashback list',
  summary: 'show what came to and went from cashback of all customers',
  options: {
    customer: CUSTOMER_OPTION,
    kind: { value: 'KIND', help: CASHBACK_KINDS.join(', ') },
  },
  examples: ['semana cashback list --kind adjusted --from 2026-11-01'],
  listing: async (context, args) =>
    listedMovements({
      ...daysOf(args),
      customerId: await customerOption(context, args),
      kind: choiceOf(args, 'kind', CASHBACK_KINDS),
    }),
  render: (rows) => rows.map(renderStaffMovement),
  columns: {
    WHEN: ({ occurred_at }) => shownInstant(occurred_at),
    CUSTOMER: ({ customer_id }) => customer_id,
    KIND: ({ kind }) => kind,
    AMOUNT: ({ amount }) => amount.toFixed(2),
    BALANCE: ({ balance_after }) => balance_after.toFixed(2),
    DESCRIPTION: ({ description }) => description,
  },
});

export const referralList = listingCommand({
  name: 'referral list',
  summary: 'show who invited whom',
  options: {
    customer: { value: 'ID', help: 'who invited: id or phone' },
    status: { value: 'STATUS', help: REFERRAL_STATUSES.join(', ') },
  },
  examples: ['semana referral list --status registered'],
  listing: async (context, args) =>
    listedReferrals(
      {
        ...daysOf(args),
        customerId: await customerOption(context, args),
        status: choiceOf(args, 'status', REFERRAL_STATUSES),
      },
      context.clock.now(),
    ),
  render: (rows) => rows.map(renderStaffReferral),
  columns: {
    WHEN: ({ invited_at }) => shownInstant(invited_at),
    REFERRER: ({ referrer_id }) => referrer_id,
    INVITED: ({ invited_id }) => invited_id,
    STATUS: ({ status }) => status,
    REWARD: ({ reward }) => reward.toFixed(2),
  },
});
