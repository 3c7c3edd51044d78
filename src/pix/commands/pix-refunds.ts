import { inReais } from '#core/money.ts';
import { CUSTOMER_OPTION, customerOption } from '#customers';
import type { Events } from '#events';
import { type Command, CommandFault } from '#platform/command-line/command.ts';
import { choiceOf, daysOf, listingCommand } from '#platform/command-line/listing.ts';
import { shownInstant } from '#platform/command-line/times.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import { retryRecorded } from '../refunds/retry-refund.ts';
import { renderRefund } from '../reports/render-staff.ts';
import { listedRefunds } from '../store/lists.ts';
import { REFUND_STATUSES } from '../store/refunds.ts';

export const pixRefunds = (events: Events): Command => {
  const list = listingCommand({
    name: 'pix refunds',
    summary: 'show money that could not be given back, or try again to give it back',
    options: {
      status: { value: 'STATUS', help: `${REFUND_STATUSES.join(', ')} (default given_up)` },
      customer: CUSTOMER_OPTION,
      retry: { value: 'ID', help: 'ask the PSP anew for what this refund was to return' },
    },
    details:
      'Those that were tried and given up, or refused by the PSP for good, unless another status is asked for. Their money is still\n' +
      'at the PSP, and owed. Once the cause is mended, have it tried again with --retry; or give it back by hand at the PSP: then it\n' +
      'is gone from here within ten minutes.',
    examples: ['semana pix refunds --retry 7hK2mQ9sVx4LcT1bYwR8nZ5pDf3gJ6aE'],
    listing: async (context, args) =>
      listedRefunds({
        ...daysOf(args),
        status: choiceOf(args, 'status', REFUND_STATUSES) ?? 'given_up',
        customerId: await customerOption(context, args),
      }),
    render: (rows) => rows.map(renderRefund),
    columns: {
      ID: ({ id }) => id,
      'END-TO-END ID': ({ end_to_end_id }) => end_to_end_id,
      CUSTOMER: ({ customer_id }) => customer_id,
      REAIS: ({ value, stranded, status }) => (status === 'given_up' ? stranded : value).toFixed(2),
      STATUS: ({ status, reason }) => (reason === null ? status : `${status}: ${reason}`),
      AT: ({ created_at }) => shownInstant(created_at),
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
