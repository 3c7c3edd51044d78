import { inReais } from '#core/money.ts';
import { readingCommand, tableOf } from '#platform/command-reading.ts';
import { listOrphans } from '../store/payments.ts';

const MOST_SHOWN = 100;

export const pixOrphans = readingCommand({
  name: 'pix orphans',
  summary: 'show money that belongs to no charge of ours',
  details: `The last ${MOST_SHOWN}, newest first. Nothing was done with it: refund it at the PSP, or find out whose it is.`,
  async read({ db }) {
    const { orphans } = await listOrphans(db, { offset: 0, limit: MOST_SHOWN });
    const text = tableOf(
      orphans,
      {
        'END-TO-END ID': ({ end_to_end_id }) => end_to_end_id,
        TXID: ({ txid }) => txid ?? '-',
        REAIS: ({ amount_cents }) => inReais(amount_cents),
        'PAID AT': ({ paid_at }) => paid_at.toISOString().slice(0, 19),
      },
      'None: all money that arrived belongs to a charge.',
    );
    return { records: orphans, text };
  },
});
