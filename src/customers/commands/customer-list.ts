import { parseCpf } from '#core/cpf.ts';
import { cents, toReais } from '#core/money.ts';
import { reais } from '#platform/command-line/cells.ts';
import {
  type Arguments,
  type Command,
  CommandFault,
  fieldsOf,
  UsageFault,
} from '#platform/command-line/command.ts';
import { choiceOf } from '#platform/command-line/listing.ts';
import { readingCommand, tableOf } from '#platform/command-line/reading.ts';
import { shownDay } from '#platform/command-line/times.ts';
import { readCustomer } from '#platform/command-line/values.ts';
import { listPage } from '#platform/http/listing.ts';
import { searchCustomers, showPhoneChange, withOverdue } from '../change-customer.ts';
import { People } from '../people.ts';
import { renderOverdue } from '../render-customer.ts';
import {
  type CreditUsed,
  CUSTOMER_STATUSES,
  findListedCustomer,
  type ListedCustomer,
  type OverdueCustomers,
} from '../store.ts';
import { CUSTOMER, NOBODY } from './customer-option.ts';

const customerList = (creditUsed: CreditUsed, overdueCustomers: OverdueCustomers) =>
  readingCommand({
    name: 'customer list',
    summary: 'show customers, oldest first',
    options: {
      name: { value: 'TEXT', help: 'how words of the name begin, e.g. "ana sou"' },
      phone: { value: 'PHONE', help: 'whose phone it is, or ends like this (four digits or more)' },
      email: { value: 'E-MAIL', help: 'whose e-mail it is' },
      cpf: { value: 'CPF', help: 'whose CPF it is' },
      status: { value: 'STATUS', help: CUSTOMER_STATUSES.join(', ') },
      page: { value: 'N', help: 'which page (default 1)' },
      limit: { value: 'N', help: 'how many to a page, at most 1000 (default 50)' },
    },
    async read({ db, vault, clock }, args) {
      const page = readCount(args.option('page') ?? '1', 'page', 1_000_000);
      const limit = readCount(args.option('limit') ?? '50', 'limit', 1_000);
      const search = readSearch(args);
      const deps = { db, vault, clock, creditUsed, overdueCustomers };
      const listing = await searchCustomers(deps, search);
      const { total, rows } = await listPage(db, listing, { page, limit, sort: 'oldest' });
      const people = new People(vault);
      const records = (await withOverdue(deps, rows)).map((customer) => ({
        ...describe(customer, people),
        overdue: renderOverdue(customer),
      }));
      const text = tableOf(
        records,
        {
          ID: 'id',
          NAME: 'name',
          PHONE: 'phone',
          'E-MAIL': 'email',
          CPF: 'cpf',
          LIMIT: reais('credit_limit'),
          USED: reais('credit_used'),
          OVERDUE: ({ overdue: { amount, since } }) => (since ? `${amount.toFixed(2)} since ${since}` : '-'),
          REFERRAL: 'referral_code',
          LOGIN: 'login',
          STATE: stateOf,
        },
        total === 0 && Object.values(search).every((given) => given === undefined)
          ? `No customers yet. Register one with 'semana customer create'.`
          : 'No customers here.',
      );
      const pages = Math.max(1, Math.ceil(total / limit));
      return { records, text, note: `Page ${page} of ${pages}, ${total} in all.` };
    },
  });

const customerShow = (creditUsed: CreditUsed) =>
  readingCommand({
    name: 'customer show',
    summary: 'show one customer',
    positionals: [CUSTOMER],
    examples: ['semana customer show +5511987650001'],
    async read({ db, vault }, { positionals }) {
      const found = await findListedCustomer(db, readCustomer(positionals[0]!), creditUsed);
      if (!found) throw new CommandFault(NOBODY);
      const { phone_change } = await showPhoneChange(db, found.id);
      const customer = describe(found, new People(vault));
      const waiting = phone_change && `${phone_change.phone}, from ${phone_change.counts_at} on`;
      return {
        records: [{ ...customer, phone_change }],
        text: fieldsOf({ ...customer, phone_change: waiting }),
      };
    },
  });

export const customerReadingCommands = (
  creditUsed: CreditUsed,
  overdueCustomers: OverdueCustomers,
): Command[] => [customerList(creditUsed, overdueCustomers), customerShow(creditUsed)];

function readSearch(args: Arguments) {
  const phone = args.option('phone');
  if (phone !== undefined && !/^[+0-9() .-]{4,40}$/.test(phone))
    throw new UsageFault(
      '--phone is written like +5511987654321 or 11 98765-4321, or is its last digits: 4321.',
    );
  const cpf = args.option('cpf');
  if (cpf !== undefined && !parseCpf(cpf))
    throw new UsageFault('--cpf is wrong: its check digits do not agree.');
  const status = choiceOf(args, 'status', CUSTOMER_STATUSES);
  return { name: args.option('name'), phone, email: args.option('email'), cpf, status };
}

function stateOf({ locked_at, erased_at }: { locked_at: string | null; erased_at: string | null }): string {
  if (erased_at) return `erased ${shownDay(erased_at)}`;
  return locked_at ? `locked ${shownDay(locked_at)}` : 'active';
}

function describe(customer: ListedCustomer, people: People) {
  return {
    id: customer.id,
    ...people.of(customer),
    credit_limit: toReais(cents(customer.credit_limit_cents)),
    credit_used: toReais(cents(customer.credit_used_cents)),
    referral_code: customer.referral_code,
    login: customer.by_code_only ? 'code' : 'password',
    locked_at: customer.locked_at?.toISOString() ?? null,
    erased_at: customer.erased_at?.toISOString() ?? null,
    created_at: customer.created_at.toISOString(),
  };
}

function readCount(text: string, option: string, most: number): number {
  if (/^[1-9]\d{0,8}$/.test(text) && Number(text) <= most) return Number(text);
  throw new UsageFault(`--${option} is '${text}'; write a whole number from 1 to ${most}.`);
}
