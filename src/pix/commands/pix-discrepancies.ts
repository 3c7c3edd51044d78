import { inReais } from '#core/money.ts';
import { type Command, table } from '#platform/command.ts';
import { listDiscrepancies } from '../store/discrepancies.ts';

const MOST_SHOWN = 100;

export const pixDiscrepancies: Command = {
  name: 'pix discrepancies',
  summary: 'show what the PSP says of charges and we cannot account for',
  options: { json: { help: 'one JSON object a line, for scripts' } },
  details: `The last ${MOST_SHOWN}, newest first. The PSP is asked again by itself: ask it in person about what stays.
  paid_without_payment  the charge is paid there, and no payment of it can be found
  end_to_end_id_reused  the payment it shows has been counted for another charge
  unreadable_payment    a payment of which the amount or the time cannot be read`,
  async run({ db, print }, args) {
    const { discrepancies, total } = await listDiscrepancies(db, { offset: 0, limit: MOST_SHOWN });
    if (args.has('json')) for (const found of discrepancies) print(JSON.stringify(found));
    else if (total === 0) print('None: all that the PSP says of our charges is accounted for.');
    else {
      const rows = discrepancies.map((found) => [
        ...[found.kind, found.charge_id, found.txid, found.end_to_end_id || '-', inReais(found.value_cents)],
        found.found_at.toISOString().slice(0, 19),
      ]);
      print(table(['KIND', 'CHARGE', 'TXID', 'END-TO-END ID', 'REAIS', 'FOUND AT'], rows));
    }
    return undefined;
  },
};
