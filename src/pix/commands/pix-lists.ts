import { inReais } from '#core/money.ts';
import { ofCustomer } from '#customers';
import { instant, reais } from '#platform/command-line/cells.ts';
import { choice, listingCommand } from '#platform/command-line/listing.ts';
import { tableCommand } from '#platform/command-line/reading.ts';
import { renderOrphan } from '../payments/render-orphan.ts';
import { renderPayment, renderStaffCharge } from '../reports/render-staff.ts';
import { listDiscrepancies } from '../store/discrepancies.ts';
import { listedCharges, listedOrphans, listedPayments } from '../store/lists.ts';
import { ORPHAN_STATUSES } from '../store/orphans.ts';

const CHARGE_STATUSES = ['pending', 'paid', 'expired', 'cancelled'] as const;

export const pixPayments = listingCommand({
  name: 'pix payments',
  summary: 'show money that arrived',
  filters: { customerId: ofCustomer },
  examples: ['semana pix payments --customer +5511987650001 --from 2026-11-01'],
  listing: listedPayments,
  render: (rows) => rows.map(renderPayment),
  columns: {
    'END-TO-END ID': 'end_to_end_id',
    REAIS: reais('value'),
    'GONE BACK': reais('refunded'),
    CUSTOMER: 'customer_id',
    INSTALLMENT: 'installment_id',
    PAID: instant('paid_at'),
  },
});

export const pixCharges = listingCommand({
  name: 'pix charges',
  summary: 'show codes that customers asked for',
  filters: { customerId: ofCustomer, status: choice('STATUS', CHARGE_STATUSES) },
  examples: ['semana pix charges --status pending'],
  listing: (wanted, { clock }) => listedCharges(wanted, clock.now()),
  render: (rows, { clock }) => rows.map((row) => renderStaffCharge(row, clock.now())),
  columns: {
    ID: 'id',
    TXID: 'txid',
    TYPE: 'type',
    STATUS: 'status',
    REAIS: reais('value'),
    MADE: instant('created_at'),
  },
});

export const pixOrphans = listingCommand({
  name: 'pix orphans',
  summary: 'show money that belongs to no charge of ours',
  filters: { status: choice('STATUS', ORPHAN_STATUSES) },
  details:
    'Nothing is done with what is open: say what it is for with `semana pix orphan assign`, or give it back with `semana pix orphan\n' +
    'refund`. What was assigned, or turns out to be for a charge, is gone from here.',
  listing: listedOrphans,
  render: (rows) => rows.map(renderOrphan),
  columns: {
    'END-TO-END ID': 'end_to_end_id',
    TXID: 'txid',
    REAIS: reais('value'),
    STATUS: ({ status, reason }) => (reason === null ? status : `${status}: ${reason}`),
    PAID: instant('paid_at'),
  },
  none: 'None: all money that arrived belongs to a charge.',
});

const MOST_SHOWN = 100;

export const pixDiscrepancies = tableCommand({
  name: 'pix discrepancies',
  summary: 'show what the PSP says of charges and we cannot account for',
  details: `The last ${MOST_SHOWN}, newest first. The PSP is asked again by itself: ask it in person about what stays.
  paid_without_payment  the charge is paid there, and no payment of it can be found
  end_to_end_id_reused  the payment it shows has been counted for another charge
  unreadable_payment    a payment of which the amount or the time cannot be read`,
  async read({ db }) {
    const { rows: records } = await listDiscrepancies(db, { offset: 0, limit: MOST_SHOWN });
    return { records };
  },
  columns: {
    KIND: 'kind',
    CHARGE: 'charge_id',
    TXID: 'txid',
    'END-TO-END ID': ({ end_to_end_id }) => end_to_end_id || '-',
    REAIS: ({ value_cents }) => inReais(value_cents),
    'FOUND AT': instant('found_at'),
  },
  none: 'None: all that the PSP says of our charges is accounted for.',
});
