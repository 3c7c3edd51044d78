import { inReais } from '#core/money.ts';
import { readingCommand, tableOf } from '#platform/command-line/reading.ts';
import { shownInstant } from '#platform/command-line/times.ts';
import { listDiscrepancies } from '../store/discrepancies.ts';

const MOST_SHOWN = 100;

export const pixDiscrepancies = readingCommand({
  name: 'pix discrepancies',
  summary: 'show what the PSP says of charges and we cannot account for',
  details: `The last ${MOST_SHOWN}, newest first. The PSP is asked again by itself: ask it in person about what stays.
  paid_without_payment  the charge is paid there, and no payment of it can be found
  end_to_end_id_reused  the payment it shows has been counted for another charge
  unreadable_payment    a payment of which the amount or the time cannot be read`,
  async read({ db }) {
    const { rows: discrepancies } = await listDiscrepancies(db, { offset: 0, limit: MOST_SHOWN });
    const text = tableOf(
      discrepancies,
      {
        KIND: ({ kind }) => kind,
        CHARGE: ({ charge_id }) => charge_id,
        TXID: ({ txid }) => txid,
        'END-TO-END ID': ({ end_to_end_id }) => end_to_end_id || '-',
        REAIS: ({ value_cents }) => inReais(value_cents),
        'FOUND AT': ({ found_at }) => shownInstant(found_at),
      },
      'None: all that the PSP says of our charges is accounted for.',
    );
    return { records: discrepancies, text };
  },
});
