import { aligned } from '#platform/command-line/command.ts';
import { readingCommand } from '#platform/command-line/reading.ts';
import { requireEndpoint } from '../endpoints.ts';
import { renderEndpoint } from '../render.ts';
import { WEBHOOK_ID } from './webhook-id.ts';

export const webhookShow = readingCommand({
  name: 'webhook show',
  summary: 'show one webhook endpoint',
  positionals: [WEBHOOK_ID],
  async read({ db }, { positionals }) {
    const record = renderEndpoint(await requireEndpoint(db, positionals[0]!));
    const rows = Object.entries(record).map(
      ([name, value]) => [name, String(value ?? '-') || 'all'] as const,
    );
    return { records: [record], text: aligned(rows) };
  },
});
