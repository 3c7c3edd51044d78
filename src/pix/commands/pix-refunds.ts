import { inReais } from '#core/money.ts';
import { ofCustomer } from '#customers';
import type { Events } from '#events';
import { instant } from '#platform/command-line/cells.ts';
import { type Command, CommandFault } from '#platform/command-line/command.ts';
import { choice, listingCommand } from '#platform/command-line/listing.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import { renderRefund } from '../refunds/render-refund.ts';
import { retryRecorded } from '../refunds/retry-refund.ts';
import { listedRefunds } from '../store/lists.ts';
import { REFUND_STATUSES } from '../store/refunds.ts';

export const pixRefunds = (events: Events): Command => {
  const list = listingCommand({
    name: 'pix refunds',
    summary: 'show money that could not be given back, or try again to give it back',
    filters: {
      status: choice('STATUS', REFUND_STATUSES, `${REFUND_STATUSES.join(', ')} (default given_up)`),
      customerId: ofCustomer,
    },
    options: { retry: { value: 'ID', help: 'ask the PSP anew for what this refund was to return' } },
    details:
      'Those that were tried and given up, or refused by the PSP for good, unless another status is asked for. Their money is still\n' +
      'at the PSP, and owed. Once the cause is mended, have it tried again with --retry; or give it back by hand at the PSP: then it\n' +
      'is gone from here within ten minutes.',
    examples: ['semana pix refunds --retry 7hK2mQ9sVx4LcT1bYwR8nZ5pDf3gJ6aE'],
    listing: ({ status = 'given_up', ...wanted }) => listedRefunds({ ...wanted, status }),
    render: (rows) => rows.map(renderRefund),
    columns: {
      ID: 'id',
      'END-TO-END ID': 'end_to_end_id',
      CUSTOMER: 'customer_id',
      REAIS: ({ value, stranded, status }) => (status === 'given_up' ? stranded : value).toFixed(2),
      STATUS: ({ status, reason }) => (reason === null ? status : `${status}: ${reason}`),
      AT: instant('created_at'),
    },
    none: 'None: every refund was carried out, or is still being tried.',
  });
  return {
    ...list,
    async run(context, args) {
      const id = args.option('retry');
      if (id === undefined) return list.run(context, args);
      const { db, clock, print } = context;
      const change = changeByCommand(context, 'pix refunds --retry');
      const retried = await retryRecorded(db, { events, clock }, id, change);
      if (!retried)
        throw new CommandFault(
          `There is no refund ${id} of ours; 'semana pix refunds' lists those given up.`,
        );
      const { askedCents } = retried;
      const text = `${inReais(askedCents)} is asked of the PSP again.`;
      print(args.has('json') ? JSON.stringify({ id, amount_cents: askedCents }) : text);
    },
  };
};
