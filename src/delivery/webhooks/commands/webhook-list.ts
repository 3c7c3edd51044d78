import { findPartner } from '#partners';
import { readingCommand, tableOf } from '#platform/command-line/reading.ts';
import { shownInstant } from '#platform/command-line/times.ts';
import { listPage } from '#platform/http/listing.ts';
import { renderEndpoint } from '../render.ts';
import { listedEndpoints } from '../store.ts';

const MOST_SHOWN = 1_000;

export const webhookList = readingCommand({
  name: 'webhook list',
  summary: 'show webhook endpoints and how they are',
  options: { partner: { value: 'ID', help: 'only those of this partner (id or name)' } },
  async read({ db }, args) {
    const wanted = args.option('partner');
    const partnerId = wanted && ((await findPartner(db, wanted))?.id ?? wanted);
    const { rows } = await listPage(db, listedEndpoints({ partnerId }), { page: 1, limit: MOST_SHOWN });
    const records = rows.map(renderEndpoint);
    const text = tableOf(
      records,
      {
        ID: ({ id }) => id,
        PARTNER: ({ partner }) => partner,
        URL: ({ url }) => url,
        MERCHANT: ({ merchant }) => merchant ?? 'all',
        EVENTS: ({ events }) => events.join(',') || 'all',
        STATUS: ({ status, disabled_reason }) => (disabled_reason ? `${status}: ${disabled_reason}` : status),
        'FAILING SINCE': ({ failing_since }) => shownInstant(failing_since),
      },
      `None. Create one with 'semana webhook create'.`,
    );
    return { records, text };
  },
});
