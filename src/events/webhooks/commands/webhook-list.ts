import { findPartner } from '#partners';
import { readingCommand, tableOf } from '#platform/command-reading.ts';
import { renderEndpoint } from '../render.ts';
import { listEndpoints } from '../store.ts';

const MOST_SHOWN = 1_000;

export const webhookList = readingCommand({
  name: 'webhook list',
  summary: 'show webhook endpoints and how they are',
  options: { partner: { value: 'ID', help: 'only those of this partner (id or name)' } },
  async read({ db }, args) {
    const wanted = args.option('partner');
    const partnerId = wanted && ((await findPartner(db, wanted))?.id ?? wanted);
    const page = { offset: 0, limit: MOST_SHOWN };
    const { endpoints } = await listEndpoints(db, partnerId ? { partnerId } : {}, page);
    const records = endpoints.map(renderEndpoint);
    const text = tableOf(
      records,
      {
        ID: ({ id }) => id,
        PARTNER: ({ partner }) => partner,
        URL: ({ url }) => url,
        EVENTS: ({ events }) => events.join(',') || 'all',
        STATUS: ({ status, disabled_reason }) => (disabled_reason ? `${status}: ${disabled_reason}` : status),
        'FAILING SINCE': ({ failing_since }) => failing_since?.slice(0, 19) ?? '-',
      },
      `None. Create one with 'semana webhook create'.`,
    );
    return { records, text };
  },
});
