import { instant } from '#platform/command-line/cells.ts';
import { type Command, printable, UsageFault } from '#platform/command-line/command.ts';
import { readingCommand, tableCommand } from '#platform/command-line/reading.ts';
import { listPage } from '#platform/http/listing.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../publish-store.ts';
import { replay, requireEndpoint, testEndpoint } from '../endpoints.ts';
import { renderDelivery } from '../render.ts';
import { openSender } from '../sender.ts';
import type { WebhookSettings } from '../settings.ts';
import { listedDeliveries } from '../store.ts';
import { WEBHOOK_ID } from './webhook-endpoint.ts';

export const webhookTest = (settings: () => WebhookSettings) =>
  readingCommand({
    name: 'webhook test',
    needs: [settings],
    summary: 'call an endpoint with an event of type webhook.test, and say how it went',
    positionals: [WEBHOOK_ID],
    async read(context, { positionals }) {
      const {
        db,
        vault,
        config: { mode },
      } = context;
      const change = changeByCommand(context, 'webhook test');
      const sender = openSender({ mode, ...settings() });
      try {
        const record = renderDelivery(
          await testEndpoint({ db, vault, mode, sender }, positionals[0]!, change),
        );
        const { status, error, duration_ms, answer } = record.attempts[0]!;
        const lines = [
          `${record.status}: ${status ?? error} in ${duration_ms} ms`,
          ...(answer ? answer.split('\n').map(printable) : []),
        ];
        return { records: [record], text: lines.join('\n'), code: record.status === 'delivered' ? 0 : 1 };
      } finally {
        sender.close();
      }
    },
  });

const MOST_SHOWN = 100;

export const webhookDeliveries = tableCommand({
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
    const note = total > MOST_SHOWN ? `There are ${total} in all.` : undefined;
    return { records: rows.map(renderDelivery), note };
  },
  columns: {
    EVENT: 'event',
    TYPE: 'type',
    STATUS: 'status',
    TRIES: 'tries',
    'LAST ANSWER': ({ attempts }) => String(attempts.at(-1)?.status ?? attempts.at(-1)?.error ?? '-'),
    MS: ({ attempts }) => String(attempts.at(-1)?.duration_ms ?? '-'),
    'NEXT TRY': instant('next_try_at'),
  },
  none: 'None.',
});

export const webhookReplay: Command = {
  name: 'webhook replay',
  summary: 'deliver events once more',
  positionals: [WEBHOOK_ID],
  options: {
    event: { value: 'ID', help: 'one event' },
    since: { value: 'INSTANT', help: 'all the endpoint wants since then, e.g. 2026-11-15T12:00:00Z' },
  },
  examples: ['semana webhook replay whe_01kfx3v9e2r4s6t8w0y2a4c6e8 --since 2026-11-15T12:00:00Z'],
  async run(context, args) {
    const { db, print } = context;
    const event = args.option('event');
    const since = args.option('since');
    if ((event === undefined) === (since === undefined))
      throw new UsageFault('Say either --event or --since.');
    const instant = new Date(since ?? 0);
    if (since !== undefined && (Number.isNaN(instant.getTime()) || !/T.*(Z|[+-]\d\d:\d\d)$/.test(since)))
      throw new UsageFault(`--since is '${since}'; write it like 2026-11-15T12:00:00Z.`);
    const wish = event === undefined ? { since: instant } : { event };
    const count = await replay(db, args.positionals[0]!, wish, changeByCommand(context, 'webhook replay'));
    print(`${count} ${count === 1 ? 'delivery is' : 'deliveries are'} on the way.`);
  },
};
