import { saoPauloDay } from '#core/day.ts';
import { inReais } from '#core/money.ts';
import { findCustomerId, findName } from '#customers';
import { type Command, CommandFault, table } from '#platform/command.ts';
import { findBalances, listMovements } from '../reading-store.ts';
import { renderMovement } from '../render.ts';

const NEWEST = 20;

export const cashbackShow: Command = {
  name: 'cashback show',
  summary: "show a customer's cashback: the balance and the newest lines of the statement",
  positionals: [{ name: 'CUSTOMER', help: 'id or phone' }],
  examples: ['semana cashback show +5511987650001'],
  async run({ db, clock, print }, { positionals: [idOrPhone = ''] }) {
    const id = await findCustomerId(db, idOrPhone.trim());
    const name = id === undefined ? undefined : await findName(db, id);
    if (id === undefined || name === undefined)
      throw new CommandFault(`There is no customer '${idOrPhone}'.`);
    const today = saoPauloDay(clock.now().getTime());
    const balance = await findBalances(db, id, today);
    const window = { offset: 0, limit: NEWEST, upTo: Number.MAX_SAFE_INTEGER };
    const { movements, total } = await listMovements(db, id, today, window);
    const rows = movements
      .map(renderMovement)
      .map((line) => [
        ...[line.occurred_at.slice(0, 16).replace('T', ' '), line.kind, line.amount.toFixed(2)],
        ...[line.balance_after.toFixed(2), line.expires_on ?? '-', line.description],
      ]);
    print(`${name} (${id})`);
    print(`Available ${inReais(balance.balance_cents)}, pending ${inReais(balance.pending_cents)}.\n`);
    print(table(['WHEN (UTC)', 'KIND', 'AMOUNT', 'BALANCE', 'LAST DAY', 'DESCRIPTION'], rows));
    if (total > rows.length) print(`\nThe newest ${rows.length} of ${total} lines.`);
    return undefined;
  },
};
