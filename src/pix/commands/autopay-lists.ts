import { ofCustomer } from '#customers';
import { instant, reais } from '#platform/command-line/cells.ts';
import { choice, listingCommand } from '#platform/command-line/listing.ts';
import { renderStaffAutopay, renderStaffDebit } from '../reports/render-staff.ts';
import { AUTHORISATION_STATUSES } from '../store/authorisations.ts';
import { DEBIT_STATUSES, listedAuthorisations, listedDebits } from '../store/lists.ts';

export const autopayList = listingCommand({
  name: 'autopay list',
  summary: 'show authorisations of debits',
  filters: { customerId: ofCustomer, status: choice('STATUS', AUTHORISATION_STATUSES) },
  examples: ['semana autopay list --status active'],
  listing: (wanted, { clock }) => listedAuthorisations(wanted, clock.now()),
  render: (rows, { clock }) => rows.map((row) => renderStaffAutopay(row, clock.now())),
  columns: {
    ID: 'id',
    CUSTOMER: 'customer_id',
    PURCHASE: 'checkout_hash',
    STATUS: 'status',
    'ENDED BY': ({ ended_by, reason }) => [ended_by, reason].filter(Boolean).join(': ') || '-',
    ASKED: instant('created_at'),
  },
});

export const autopayDebits = listingCommand({
  name: 'autopay debits',
  summary: 'show debits, by the day on which the installment falls due',
  filters: { customerId: ofCustomer, status: choice('STATUS', DEBIT_STATUSES) },
  examples: ['semana autopay debits --status failed --from 2026-11-01'],
  listing: listedDebits,
  render: (rows) => rows.map(renderStaffDebit),
  columns: {
    ID: 'id',
    CUSTOMER: 'customer_id',
    INSTALLMENT: 'installment_id',
    STATUS: 'status',
    REAIS: reais('value'),
    TRIES: 'tries',
    DUE: 'due_on',
    REASON: 'reason',
  },
});
