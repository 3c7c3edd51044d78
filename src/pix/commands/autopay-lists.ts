import { CUSTOMER_OPTION, customerOption } from '#customers';
import { choiceOf, daysOf, listingCommand } from '#platform/command-line/listing.ts';
import { shownInstant } from '#platform/command-line/times.ts';
import { renderStaffAutopay, renderStaffDebit } from '../reports/render-staff.ts';
import { AUTHORISATION_STATUSES } from '../store/authorisations.ts';
import { DEBIT_STATUSES, listedAuthorisations, listedDebits } from '../store/lists.ts';

export const autopayList = listingCommand({
  name: 'autopay list',
  summary: 'show authorisations of debits',
  options: {
    customer: CUSTOMER_OPTION,
    status: { value: 'STATUS', help: AUTHORISATION_STATUSES.join(', ') },
  },
  examples: ['semana autopay list --status active'],
  listing: async (context, args) =>
    listedAuthorisations(
      {
        ...daysOf(args),
        customerId: await customerOption(context, args),
        status: choiceOf(args, 'status', AUTHORISATION_STATUSES),
      },
      context.clock.now(),
    ),
  render: (rows, { clock }) => rows.map((row) => renderStaffAutopay(row, clock.now())),
  columns: {
    ID: ({ id }) => id,
    CUSTOMER: ({ customer_id }) => customer_id,
    PURCHASE: ({ checkout_hash }) => checkout_hash,
    STATUS: ({ status }) => status,
    'ENDED BY': ({ ended_by, reason }) => [ended_by, reason].filter(Boolean).join(': ') || '-',
    ASKED: ({ created_at }) => shownInstant(created_at),
  },
});

export const autopayDebits = listingCommand({
  name: 'autopay debits',
  summary: 'show debits, by the day on which the installment falls due',
  options: { customer: CUSTOMER_OPTION, status: { value: 'STATUS', help: DEBIT_STATUSES.join(', ') } },
  examples: ['semana autopay debits --status failed --from 2026-11-01'],
  listing: async (context, args) =>
    listedDebits({
      ...daysOf(args),
      customerId: await customerOption(context, args),
      status: choiceOf(args, 'status', DEBIT_STATUSES),
    }),
  render: (rows) => rows.map(renderStaffDebit),
  columns: {
    ID: ({ id }) => id,
    CUSTOMER: ({ customer_id }) => customer_id,
    INSTALLMENT: ({ installment_id }) => installment_id,
    STATUS: ({ status }) => status,
    REAIS: ({ value }) => value.toFixed(2),
    TRIES: ({ tries }) => String(tries),
    DUE: ({ due_on }) => due_on,
    REASON: ({ reason }) => reason ?? '-',
  },
});
