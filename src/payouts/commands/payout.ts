import { ofMerchant } from '#catalog';
import { parseDay, saoPauloDay } from '#core/day.ts';
import type { Events } from '#events';
import { instant, reais } from '#platform/command-line/cells.ts';
import { changeRecorded, changingCommand } from '#platform/command-line/changing.ts';
import { type Command, CommandFault, UsageFault } from '#platform/command-line/command.ts';
import { choice, listingCommand } from '#platform/command-line/listing.ts';
import { type Columns, readingCommand, tableOf } from '#platform/command-line/reading.ts';
import { createByReference, REFERENCE } from '#platform/command-line/reference.ts';
import { readText } from '#platform/command-line/values.ts';
import { changeByCommand, recordCreation } from '#platform/privacy/trail.ts';
import { failPayout, payoutSubject, payPayout } from '../close-payout.ts';
import { createPayouts } from '../create-payouts.ts';
import { payoutAccountSubject, stopAccountChange } from '../payout-account.ts';
import { type RenderedPayout, renderLine, renderPayout, renderPayoutItem } from '../render.ts';
import { findPayout, listedPayouts, listPayoutLines, PAYOUT_STATUSES } from '../store.ts';
import { payoutReturnFile } from './payout-return-file.ts';

const PAYOUT_COLUMNS: Columns<RenderedPayout> = {
  ID: 'id',
  MERCHANT: 'merchant',
  AMOUNT: reais('amount'),
  STATUS: 'status',
  DUE: 'due_on',
  MADE: instant('created_at'),
  'REFERENCE OR REASON': ({ reference, reason }) => reference ?? reason ?? '-',
};

const payoutList = listingCommand({
  name: 'payout list',
  summary: 'show payouts of all merchants',
  filters: { status: choice('STATUS', PAYOUT_STATUSES), merchantId: ofMerchant },
  examples: ['semana payout list --status pending'],
  listing: listedPayouts,
  render: (rows) => rows.map(renderPayoutItem),
  columns: PAYOUT_COLUMNS,
});

const PAYOUT_ID = { name: 'PAYOUT_ID', help: 'id of the payout, see payout list' };
const noPayout = (id: string) => `There is no payout '${id}'; 'semana payout list' shows them.`;

const MOST_SHOWN = 1_000;

const payoutShow = readingCommand({
  name: 'payout show',
  summary: 'show a payout and what it settled',
  positionals: [PAYOUT_ID],
  examples: ['semana payout show pay_01kfx3v9e2r4s6t8w0y2a4c6e8'],
  async read({ db }, { positionals: [id = ''] }) {
    const row = await findPayout(db, id);
    if (!row) throw new CommandFault(noPayout(id));
    const { total, lines } = await listPayoutLines(db, id, { offset: 0, limit: MOST_SHOWN });
    const payout = renderPayout(row);
    const rendered = lines.map(renderLine);
    const settled = tableOf(
      rendered,
      {
        WHEN: instant('occurred_at'),
        KIND: 'kind',
        AMOUNT: reais('amount'),
        ABOUT: ({ checkout_hash, of_payout }) => checkout_hash ?? of_payout ?? '-',
      },
      'Nothing.',
    );
    return {
      records: [{ ...payout, lines: rendered, total }],
      text: `${tableOf([payout], PAYOUT_COLUMNS, '')}\n\n${settled}`,
      note: total > MOST_SHOWN ? `The first ${MOST_SHOWN} of ${total} lines.` : undefined,
    };
  },
});

const payoutCreate: Command = {
  name: 'payout create',
  summary: 'make payouts of all that is due to merchants',
  options: {
    until: {
      value: 'DAY',
      help: 'of what is due on or before this day, e.g. 2026-11-17; today unless given',
    },
    reference: REFERENCE,
  },
  details:
    'One for each merchant to whom something is due and in no payout yet. Run again, it makes only what has come since.',
  examples: ['semana payout create', 'semana payout create --until 2026-11-17'],
  async run(context, args) {
    const now = context.clock.now();
    const given = args.option('until');
    const until = given === undefined ? saoPauloDay(now.getTime()) : parseDay(given);
    if (until === null) throw new UsageFault(`--until is '${given}'; it is a day like 2026-11-17.`);
    const change = changeByCommand(context, 'payout create');
    const request = { name: 'payout create', request: { until: given ?? null } };
    return createByReference(context, args, request, async (tx) => {
      const payouts = (await createPayouts(tx, until, now)).map(renderPayout);
      for (const payout of payouts)
        await recordCreation(tx, change, { kind: 'payout', id: payout.id }, payout);
      const none = `Nothing is due until ${until} that is in no payout yet.`;
      return { output: tableOf(payouts, PAYOUT_COLUMNS, none), note: `Payouts made: ${payouts.length}.` };
    });
  },
};

const payoutPaid = (events: Events) =>
  changingCommand({
    name: 'payout paid',
    summary: 'mark a payout as paid by the bank',
    positionals: [PAYOUT_ID],
    options: { reference: { value: 'TEXT', help: 'what the bank calls it', required: true } },
    details: 'The same again changes nothing.',
    examples: ['semana payout paid pay_01kfx3v9e2r4s6t8w0y2a4c6e8 --reference "TED 482913"'],
    work(context, args) {
      const reference = readText(args, 'reference', 100);
      const { now } = context.change;
      return changeRecorded(context, payoutSubject, (tx, { id }) =>
        payPayout(tx, id, reference, { events, now }),
      );
    },
    none: noPayout,
    done: ({ merchant, amount }) => `${merchant} was paid ${amount.toFixed(2)}.`,
  });

const payoutFailed = changingCommand({
  name: 'payout failed',
  summary: 'mark a payout as not carried out by the bank',
  positionals: [PAYOUT_ID],
  options: { reason: { value: 'TEXT', help: 'why', required: true } },
  details: 'It is owed again, and comes in the next batch. The same again changes nothing.',
  examples: ['semana payout failed pay_01kfx3v9e2r4s6t8w0y2a4c6e8 --reason "Conta encerrada"'],
  work(context, args) {
    const reason = readText(args, 'reason', 200);
    const change = { ...context.change, reason };
    return changeRecorded({ ...context, change }, payoutSubject, (tx, { id }) =>
      failPayout(tx, id, reason, change),
    );
  },
  none: noPayout,
  done: ({ merchant, amount }) => `${merchant} is owed ${amount.toFixed(2)} again.`,
});

const payoutAccountStop = changingCommand({
  name: 'payout account-stop',
  summary: 'stop a change of where a merchant is paid',
  positionals: [{ name: 'SLUG', help: 'the merchant' }],
  details:
    'What an owner asked for counts after 24 hours, unless it is stopped before. The account stays as it is.',
  examples: ['semana payout account-stop padaria-flor-do-trigo'],
  work: (context) => changeRecorded(context, payoutAccountSubject, (tx) => stopAccountChange(tx, context.id)),
  none: (slug) => `There is no merchant '${slug}'.`,
  done: (_account, slug) => `${slug} is paid as before.`,
});

export const payoutCommands = (events: Events): Command[] => [
  ...[payoutCreate, payoutList, payoutShow, payoutPaid(events), payoutFailed],
  ...[payoutReturnFile(events), payoutAccountStop],
];
