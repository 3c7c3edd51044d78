import { findSellingMerchant } from '#catalog';
import { readReais, toReais } from '#core/money.ts';
import { day } from '#platform/command-line/cells.ts';
import { type Arguments, type Command, CommandFault, UsageFault } from '#platform/command-line/command.ts';
import { destructiveCommand } from '#platform/command-line/confirmation.ts';
import { choiceOf } from '#platform/command-line/listing.ts';
import { tableCommand } from '#platform/command-line/reading.ts';
import { readText } from '#platform/command-line/values.ts';
import type { Queryable } from '#platform/database/db.ts';
import { MEMBER_ROLES } from '#platform/http/access.ts';
import { readPhone } from '#platform/http/formats.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import { addMember, removeMember, renderMember } from '../members.ts';
import { listMembers } from '../store.ts';

const MERCHANT = { name: 'MERCHANT', help: 'slug of the merchant' } as const;
const EVERYBODY = { offset: 0, limit: 10_000 };

async function merchantOf(db: Queryable, { positionals: [slug] }: Arguments) {
  const merchant = await findSellingMerchant(db, slug!);
  if (!merchant)
    throw new CommandFault(`There is no merchant ${slug}. Slugs are those of 'semana export merchants'.`);
  return merchant;
}

const memberAdd: Command = {
  name: 'member add',
  summary: 'let somebody in at the till of a merchant; the first is an owner',
  positionals: [MERCHANT],
  options: {
    name: { value: 'TEXT', help: 'what they are called', required: true },
    phone: { value: 'PHONE', help: 'where their login codes go', required: true },
    role: { value: 'ROLE', help: MEMBER_ROLES.join(', '), required: true },
    'max-amount': { value: 'REAIS', help: 'what the offers of a clerk may be for at most' },
    'may-return': { help: 'a clerk may take goods back' },
  },
  examples: [
    'semana member add padaria-flor-do-trigo --name "Lúcia Prado" --phone +5511987650010 --role owner',
  ],
  async run(context, args) {
    const wishes = readWishes(args);
    const change = changeByCommand(context, 'member add');
    const member = await context.db.transaction(async (tx) =>
      addMember(tx, (await merchantOf(tx, args)).id, wishes, change),
    );
    context.print(`${member.name} is ${member.role}, id ${member.id}.`);
  },
};

function readWishes(args: Arguments) {
  const name = readText(args, 'name', 120);
  const phone = readPhone(args.required('phone'));
  if (phone === null) throw new UsageFault('--phone is written like +5511987654321 or 11 98765-4321.');
  const role = choiceOf(args, 'role', MEMBER_ROLES)!;
  const text = args.option('max-amount');
  const most = text === undefined ? null : readReais(text);
  if (text !== undefined && !most) throw new UsageFault('--max-amount is an amount in reais, e.g. 300.00.');
  return {
    name,
    phone,
    role,
    max_amount: most && toReais(most),
    may_return: args.has('may-return'),
  };
}

const memberList = tableCommand({
  name: 'member list',
  summary: 'show the people of a merchant and what they may do',
  positionals: [MERCHANT],
  options: { removed: { help: 'those too who were removed' } },
  async read({ db }, args) {
    const wanted = { merchantId: (await merchantOf(db, args)).id, removed: args.has('removed') };
    const { rows } = await listMembers(db, wanted, EVERYBODY);
    return { records: rows.map((row) => renderMember(db.vault, row)) };
  },
  columns: {
    ID: 'id',
    NAME: 'name',
    PHONE: 'phone',
    ROLE: 'role',
    'MAX AMOUNT': ({ max_amount }) => max_amount?.toFixed(2) ?? '',
    'MAY RETURN': ({ role, may_return }) => (role === 'owner' || may_return ? 'yes' : 'no'),
    STATUS: 'status',
    SINCE: day('created_at'),
  },
  none: `Nobody. Add the first owner with 'semana member add MERCHANT --name NAME --phone PHONE --role owner'.`,
});

const memberRemove = destructiveCommand({
  name: 'member remove',
  summary: 'let somebody in at the till of a merchant no more; their sessions end now',
  positionals: [MERCHANT, { name: 'ID', help: 'id of the member, see member list' }],
  destroys: ({ positionals: [, id] }) => `The sessions of ${id} end for good, now.`,
  async run(context, args) {
    const id = args.positionals[1]!;
    const change = changeByCommand(context, 'member remove');
    const ended = await context.db.transaction(async (tx) =>
      removeMember(tx, { merchantId: (await merchantOf(tx, args)).id, id }, change),
    );
    if (!ended) throw new CommandFault(`There is no member ${id}. See 'semana member list'.`);
    context.print(`${id} is out.`);
  },
});

export const memberCommands: Command[] = [memberAdd, memberList, memberRemove];
