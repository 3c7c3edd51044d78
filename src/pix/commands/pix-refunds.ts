import { inReais } from '#core/money.ts';
import type { Events } from '#events';
import { type Command, type CommandContext, CommandFault, table } from '#platform/command.ts';
import { retryRefund } from '../retry-refund.ts';
import { listStrandedRefunds } from '../store/refunds.ts';

const MOST_SHOWN = 100;

export const pixRefunds = (events: Events): Command => ({
  name: 'pix refunds',
  summary: 'show money that could not be given back, or try again to give it back',
  options: {
    json: { help: 'one JSON object a line, for scripts' },
    retry: { value: 'ID', help: 'ask the PSP anew for what this refund was to return' },
  },
  details:
    `The last ${MOST_SHOWN}, newest first: refunds that were tried and given up, or refused by the PSP for good. The money is\n` +
    'still at the PSP, and owed. Once the cause is mended, have it tried again with --retry; or give it back by hand at the PSP:\n' +
    'then it is gone from here within ten minutes.',
  examples: ['semana pix refunds --retry 7hK2mQ9sVx4LcT1bYwR8nZ5pDf3gJ6aE'],
  async run(context, args) {
    const id = args.option('retry');
    if (id !== undefined) await retry(context, events, id);
    else await show(context, args.has('json'));
    return undefined;
  },
});

async function show({ db, print }: CommandContext, asJson: boolean): Promise<void> {
  const { refunds, total } = await listStrandedRefunds(db, { offset: 0, limit: MOST_SHOWN });
  if (asJson) for (const refund of refunds) print(JSON.stringify(refund));
  else if (total === 0) print('None: every refund was carried out, or is still being tried.');
  else {
    const rows = refunds.map((refund) => [
      ...[refund.id, refund.end_to_end_id, refund.customer_id, inReais(refund.stranded_cents)],
      ...[refund.reason ?? '-', refund.created_at.toISOString().slice(0, 19)],
    ]);
    print(table(['ID', 'END-TO-END ID', 'CUSTOMER', 'REAIS', 'REASON', 'AT'], rows));
  }
}

async function retry({ db, clock, print }: CommandContext, events: Events, id: string): Promise<void> {
  const retried = await db.transaction((tx) => retryRefund(tx, { events, clock }, id));
  switch (retried.kind) {
    case 'asked':
      return print(`${inReais(retried.amountCents)} is asked of the PSP again.`);
    case 'unknown':
      throw new CommandFault(`There is no refund ${id} of ours; 'semana pix refunds' lists those given up.`);
    case 'not_given_up':
      throw new CommandFault(`Refund ${id} is ${retried.status}: only one that was given up is tried again.`);
  }
}
