import { ofCustomer } from '#customers';
import { instant, reais } from '#platform/command-line/cells.ts';
import { choice, listingCommand } from '#platform/command-line/listing.ts';
import { renderStaffMovement, renderStaffReferral } from '../render-staff.ts';
import { listedMovements, listedReferrals, REFERRAL_STATUSES } from '../staff-store.ts';
import { CASHBACK_KINDS } from '../store/movements.ts';

export const cashbackList = listingCommand({
  name: 'cashback list',
  summary: 'show what came to and went from cashback of all customers',
  filters: { customerId: ofCustomer, kind: choice('KIND', CASHBACK_KINDS) },
  examples: ['semana cashback list --kind adjusted --from 2026-11-01'],
  listing: listedMovements,
  render: (rows) => rows.map(renderStaffMovement),
  columns: {
    WHEN: instant('occurred_at'),
    CUSTOMER: 'customer_id',
    KIND: 'kind',
    AMOUNT: reais('amount'),
    BALANCE: reais('balance_after'),
    DESCRIPTION: 'description',
  },
});

export const referralList = listingCommand({
  name: 'referral list',
  summary: 'show who invited whom',
  filters: {
    customerId: { ...ofCustomer, help: 'who invited: id or phone' },
    status: choice('STATUS', REFERRAL_STATUSES),
  },
  examples: ['semana referral list --status registered'],
  listing: (wanted, { clock }) => listedReferrals(wanted, clock.now()),
  render: (rows) => rows.map(renderStaffReferral),
  columns: {
    WHEN: instant('invited_at'),
    REFERRER: 'referrer_id',
    INVITED: 'invited_id',
    STATUS: 'status',
    REWARD: reais('reward'),
  },
});
