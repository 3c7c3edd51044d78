import { inReais } from '#core/money.ts';
import type { Events } from '#events';
import { type Command, type CommandContext, CommandFault } from '#platform/command.ts';
import { type Findings, readingCommand, tableOf } from '#platform/command-reading.ts';
import { retryRefund } from '../retry-refund.ts';
import { listStrandedRefunds } from '../store/refunds.ts';

const MOST_SHOWN = 100;

export const pixRefunds = (events: Events): Command =>
  readingCommand({
    name: 'pix refunds',
    summary: 'show money that could not be given back, or try again to give it back',
    options: { retry: { value: 'ID', help: 'ask the PSP anew for what this refund was to return' } },
    details:
      `The last ${MOST_SHOWN}, newest first: refunds that were tried and given up, or refused by the PSP for good. The money is\n` +
      'still at the PSP, and owed. Once the cause is mended, have it tried again with --retry; or give it back by hand at the PSP:\n' +
      'then it is gone from here within ten minutes.',
    examples: ['semana pix refunds --retry 7hK2mQ9sVx4LcT1bYwR8nZ5pDf3gJ6aE'],
    read(context, args) {
      const id = args.option('retry');
      return id === undefined ? list(context) : retry(context, events, id);
    },
  });

async function list({ db }: CommandContext): Promise<Findings> {
  const { refunds } = await listStrandedRefunds(db, { offset: 0, limit: MOST_SHOWN });
  const text = tableOf(
    refunds,
    {
      ID: ({ id }) => id,
      'END-TO-END ID': ({ end_to_end_id }) => end_to_end_id,
      CUSTOMER: ({ customer_id }) => customer_id,
      REAIS: ({ stranded_cents }) => inReais(stranded_cents),
      REASON: ({ reason }) => reason ?? '-',
      AT: ({ created_at }) => created_at.toISOString().slice(0, 19),
    },
    'None: every refund was carried out, or is still being tried.',
  );
  return { records: refunds, text };
}

async function retry({ db, clock }: CommandContext, events: Events, id: string): Promise<Findings> {
  const retried = await db.transaction((tx) => retryRefund(tx, { events, clock }, id));
  switch (retried.kind) {
    case 'asked':
      return {
        records: [{ id, amount_cents: retried.amountCents }],
        text: `${inReais(retried.amountCents)} is asked of the PSP again.`,
      };
    case 'unknown':
      throw new CommandFault(`There is no refund ${id} of ours; 'semana pix refunds' lists those given up.`);
    case 'not_given_up':
      throw new CommandFault(`Refund ${id} is ${retried.status}: only one that was given up is tried again.`);
  }
}
