import { printable } from '#platform/command-line/command.ts';
import { readingCommand } from '#platform/command-line/reading.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import { testEndpoint } from '../endpoints.ts';
import { renderDelivery } from '../render.ts';
import { openSender } from '../sender.ts';
import type { WebhookSettings } from '../settings.ts';
import { WEBHOOK_ID } from './webhook-id.ts';

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
