import { CUSTOMER_OPTION, customerOption } from '#customers';
import { choiceOf, daysOf, listingCommand } from '#platform/command-line/listing.ts';
import { shownInstant } from '#platform/command-line/times.ts';
import { renderOrphan, renderPayment, renderStaffCharge } from '../reports/render-staff.ts';
import { listedCharges, listedOrphans, listedPayments } from '../store/lists.ts';
import { ORPHAN_STATUSES } from '../store/orphans.ts';

const CHARGE_STATUSES = ['pending', 'paid', 'expired', 'cancelled'] as const;

export const pixPayments = listingCommand({
  name: 'pix payments',
  summary: 'show money that arrived',
  options: { customer: CUSTOMER_OPTION },
  examples: ['semana pix payments --customer +5511987650001 --from 2026-11-01'],
  listing: async (context, args) =>
    listedPayments({ ...daysOf(args), customerId: await customerOption(context, args) }),
  render: (rows) => rows.map(renderPayment),
  columns: {
    'END-TO-END ID': ({ end_to_end_id }) => end_to_end_id,
    REAIS: ({ value }) => value.toFixed(2),
    'GONE BACK': ({ refunded }) => refunded.toFixed(2),
    CUSTOMER: ({ customer_id }) => customer_id,
    INSTALLMENT: ({ installment_id }) => installment_id,
    PAID: ({ paid_at }) => shownInstant(paid_at),
  },
});

export const pixCharges = listingCommand({
  name: 'pix charges',
  summary: 'show codes that customers asked for',
  options: { customer: CUSTOMER_OPTION, status: { value: 'STATUS', help: CHARGE_STATUSES.join(', ') } },
  examples: ['semana pix charges --status pending'],
  listing: async (context, args) =>
    listedCharges(
      {
        ...daysOf(args),
        customerId: await customerOption(context, args),
        status: choiceOf(args, 'status', CHARGE_STATUSES),
      },
      context.clock.now(),
    ),
  render: (rows, { clock }) => rows.map((row) => renderStaffCharge(row, clock.now())),
  columns: {
    ID: ({ id }) => id,
    TXID: ({ txid }) => txid,
    TYPE: ({ type }) => type,
    STATUS: ({ status }) => status,
    REAIS: ({ value }) => value.toFixed(2),
    MADE: ({ created_at }) => shownInstant(created_at),
  },
});

export const pixOrphans = listingCommand({
  name: 'pix orphans',
  summary: 'show money that belongs to no charge of ours',
  options: { status: { value: 'STATUS', help: ORPHAN_STATUSES.join(', ') } },
  details:
    'Nothing is done with what is open: say what it is for with `semana pix orphan assign`, or give it back with `semana pix orphan\n' +
    'refund`. What was assigned, or turns out to be for a charge, is gone from here.',
  listing: (_, args) => listedOrphans({ ...daysOf(args), status: choiceOf(args, 'status', ORPHAN_STATUSES) }),
  render: (rows) => rows.map(renderOrphan),
  columns: {
    'END-TO-END ID': ({ end_to_end_id }) => end_to_end_id,
    TXID: ({ txid }) => txid ?? '-',
    REAIS: ({ value }) => value.toFixed(2),
    STATUS: ({ status, reason }) => (reason === null ? status : `${status}: ${reason}`),
    PAID: ({ paid_at }) => shownInstant(paid_at),
  },
  none: 'None: all money that arrived belongs to a charge.',
});
