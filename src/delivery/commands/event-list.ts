import { listedEvents, narrowed, STAFF_EVENT_TYPES } from '#events';
import { instant } from '#platform/command-line/cells.ts';
import { UsageFault } from '#platform/command-line/command.ts';
import { choice, listingCommand } from '#platform/command-line/listing.ts';
import { renderStaffEvents } from '../schemas.ts';

/** By id only: events contain no phones. */
function readId(text: string): string {
  if (text.startsWith('cus_')) return text;
  throw new UsageFault(`--customer is '${text}'; write the id, which 'semana customer show' tells.`);
}

export const eventList = listingCommand({
  name: 'event list',
  summary: 'show what happened, of the last 90 days',
  filters: {
    type: choice('TYPE', STAFF_EVENT_TYPES, 'of one type, e.g. pix.paid'),
    customerId: {
      option: 'customer',
      value: 'ID',
      help: "id of a customer, as in 'customer show'",
      read: readId,
    },
    checkoutHash: { option: 'checkout', value: 'HASH', help: 'of one purchase' },
  },
  examples: ['semana event list --type installment.reopened --from 2026-11-01'],
  listing: async (wanted, { db }) => listedEvents(await narrowed(db, wanted)),
  render: (rows, { db }) => renderStaffEvents(db, rows),
  columns: {
    WHEN: instant('occurred_at'),
    TYPE: 'type',
    CUSTOMER: 'customer_id',
    PURCHASE: 'checkout_hash',
    DATA: ({ data }) => JSON.stringify(data),
  },
});
