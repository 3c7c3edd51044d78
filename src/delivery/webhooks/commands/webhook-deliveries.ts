import { UsageFault } from '#platform/command-line/command.ts';
import { readingCommand, tableOf } from '#platform/command-line/reading.ts';
import { shownInstant } from '#platform/command-line/times.ts';
import { listPage } from '#platform/http/listing.ts';
import { requireEndpoint } from '../endpoints.ts';
import { renderDelivery } from '../render.ts';
import { DELIVERY_STATUSES } from '../schemas.ts';
import { type DeliveryStatus, listedDeliveries } from '../store.ts';
import { WEBHOOK_ID } from './webhook-id.ts';

const MOST_SHOWN = 100;

export const webhookDeliveries = readingCommand({
  name: 'webhook deliveries',
  summary: 'show what was delivered to an endpoint, or is to be',
  positionals: [WEBHOOK_ID],
  options: { status: { value: 'STATUS', help: `only those: ${DELIVERY_STATUSES.join(', ')}` } },
  details: `The last ${MOST_SHOWN}, newest first. --json has every attempt and what the receiver answered.`,
  async read({ db }, args) {
    const status = args.option('status') as DeliveryStatus | undefined;
    if (status !== undefined && !DELIVERY_STATUSES.includes(status))
      throw new UsageFault(`--status is '${status}'; there are ${DELIVERY_STATUSES.join(', ')}.`);
    const { id } = await requireEndpoint(db, args.positionals[0]!);
    const { rows, total } = await listPage(db, listedDeliveries(id, status), { page: 1, limit: MOST_SHOWN });
    const records = rows.map(renderDelivery);
    const last = ({ attempts }: (typeof records)[number]) => attempts.at(-1);
    const text = tableOf(
      records,
      {
        EVENT: ({ event }) => event,
        TYPE: ({ type }) => type,
        STATUS: ({ status }) => status,
        TRIES: ({ tries }) => String(tries),
        'LAST ANSWER': (one) => String(last(one)?.status ?? last(one)?.error ?? '-'),
        MS: (one) => String(last(one)?.duration_ms ?? '-'),
        'NEXT TRY': ({ next_try_at }) => shownInstant(next_try_at),
      },
      'None.',
    );
    return { records, text, ...(total > MOST_SHOWN && { note: `There are ${total} in all.` }) };
  },
});
