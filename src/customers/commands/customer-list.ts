import { maskCpf } from '#core/cpf.ts';
import { cents, toReais } from '#core/money.ts';
import { UsageFault } from '#platform/command.ts';
import { readingCommand, tableOf } from '#platform/command-reading.ts';
import type { Vault } from '#platform/vault.ts';
import { openCpf } from '../create-customer.ts';
import { type CreditUsed, countCustomers, type ListedCustomer, listCustomers } from '../store.ts';

export const customerList = (creditUsed: CreditUsed) =>
  readingCommand({
    name: 'customer list',
    summary: 'show customers, oldest first',
    options: {
      page: { value: 'N', help: 'which page (default 1)' },
      limit: { value: 'N', help: 'how many to a page, at most 1000 (default 50)' },
    },
    async read({ db, vault }, args) {
      const page = readCount(args.option('page') ?? '1', 'page', 1_000_000);
      const limit = readCount(args.option('limit') ?? '50', 'limit', 1_000);
      const [customers, total] = await Promise.all([
        listCustomers(db, { offset: (page - 1) * limit, limit }, creditUsed),
        countCustomers(db),
      ]);
      const records = customers.map((customer) => describe(customer, vault));
      const text = tableOf(
        records,
        {
          ID: ({ id }) => id,
          NAME: ({ name }) => name,
          PHONE: ({ phone }) => phone,
          'E-MAIL': ({ email }) => email,
          CPF: ({ cpf }) => cpf,
          LIMIT: ({ credit_limit }) => credit_limit.toFixed(2),
          USED: ({ credit_used }) => credit_used.toFixed(2),
          REFERRAL: ({ referral_code }) => referral_code,
          LOGIN: ({ login }) => login,
          STATE: ({ locked_at }) => (locked_at ? `locked ${locked_at.slice(0, 10)}` : 'active'),
        },
        total === 0 ? `No customers yet. Register one with 'semana customer create'.` : 'No customers here.',
      );
      const pages = Math.max(1, Math.ceil(total / limit));
      return { records, text, note: `Page ${page} of ${pages}, ${total} in all.` };
    },
  });

function describe(customer: ListedCustomer, vault: Vault) {
  return {
    id: customer.id,
    name: customer.name,
    phone: customer.phone,
    email: customer.email,
    cpf: maskCpf(openCpf(vault, customer)),
    credit_limit: toReais(cents(customer.credit_limit_cents)),
    credit_used: toReais(cents(customer.credit_used_cents)),
    referral_code: customer.referral_code,
    login: customer.by_code_only ? 'code' : 'password',
    locked_at: customer.locked_at?.toISOString() ?? null,
    created_at: customer.created_at.toISOString(),
  };
}

function readCount(text: string, option: string, most: number): number {
  if (/^[1-9]\d{0,8}$/.test(text) && Number(text) <= most) return Number(text);
  throw new UsageFault(`--${option} is '${text}'; write a whole number from 1 to ${most}.`);
}
