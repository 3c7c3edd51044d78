import { listedEvents, narrowed, STAFF_EVENT_TYPES } from '#events';
import { UsageFault } from '#platform/command-line/command.ts';
import { choiceOf, daysOf, listingCommand } from '#platform/command-line/listing.ts';
import { shownInstant } from '#platform/command-line/times.ts';
import { renderStaffEvents } from '../schemas.ts';

/** By id only: events contain no phones. */
function readId(text: string | undefined): string | undefined {
  if (text !== undefined && !text.startsWith('cus_'))
    throw new UsageFault(`--customer is '${text}'; write the id, which 'semana customer show' tells.`);
  return text;
}

export const eventList = listingCommand({
  name: 'event list',
  summary: 'show what happened, of the last 90 days',
  options: {
    type: { value: 'TYPE', help: 'of one type, e.g. pix.paid' },
    customer: { value: 'ID', help: "id of a customer, as in 'customer show'" },
    checkout: { value: 'HASH', help: 'of one purchase' },
  },
  examples: ['semana event list --type installment.reopened --from 2026-11-01'],
  listing: async ({ db }, args) =>
    listedEvents(
      await narrowed(db, {
        ...daysOf(args),
        type: choiceOf(args, 'type', STAFF_EVENT_TYPES),
        customerId: readId(args.option('customer')),
        checkoutHash: args.option('checkout'),
      }),
    ),
  render: (rows, { db }) => renderStaffEvents(db, rows),
  columns: {
    WHEN: ({ occurred_at }) => shownInstant(occurred_at),
    TYPE: ({ type }) => type,
    CUSTOMER: ({ customer_id }) => customer_id ?? '-',
    PURCHASE: ({ checkout_hash }) => checkout_hash ?? '-',
    DATA: ({ data }) => JSON.stringify(data),
  },
});
