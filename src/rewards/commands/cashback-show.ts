import { saoPauloDay } from '#core/day.ts';
import { inReais } from '#core/money.ts';
import { findCustomerId, findName } from '#customers';
import { instant, reais } from '#platform/command-line/cells.ts';
import { CommandFault } from '#platform/command-line/command.ts';
import { readingCommand, tableOf } from '#platform/command-line/reading.ts';
import { readCustomer } from '#platform/command-line/values.ts';
import { findBalances, listMovements } from '../reading-store.ts';
import { renderBalance, renderMovement } from '../render.ts';

const NEWEST = 20;

export const cashbackShow = readingCommand({
  name: 'cashback show',
  summary: "show a customer's cashback: the balance and the newest lines of the statement",
  positionals: [{ name: 'CUSTOMER', help: 'id or phone' }],
  examples: ['semana cashback show +5511987650001'],
  async read({ db, clock }, { positionals: [idOrPhone = ''] }) {
    const id = await findCustomerId(db, readCustomer(idOrPhone));
    const name = id === undefined ? undefined : await findName(db, id);
    if (id === undefined || name === undefined)
      throw new CommandFault(`There is no customer '${idOrPhone}'. See 'semana customer list'.`);
    const today = saoPauloDay(clock.now().getTime());
    const balance = await findBalances(db, id, today);
    const window = { offset: 0, limit: NEWEST, upTo: Number.MAX_SAFE_INTEGER };
    const { movements, total } = await listMovements(db, id, today, window);
    const lines = movements.map(renderMovement);
    const statement = tableOf(
      lines,
      {
        WHEN: instant('occurred_at'),
        KIND: 'kind',
        AMOUNT: reais('amount'),
        BALANCE: reais('balance_after'),
        'LAST DAY': 'expires_on',
        DESCRIPTION: 'description',
      },
      'No lines yet.',
    );
    return {
      records: [{ customer: id, name, ...renderBalance(balance), lines, total }],
      text: [
        `${name} (${id})`,
        `Available ${inReais(balance.balance_cents)}, pending ${inReais(balance.pending_cents)}.\n`,
        statement,
        ...(total > lines.length ? [`\nThe newest ${lines.length} of ${total} lines.`] : []),
      ].join('\n'),
    };
  },
});
