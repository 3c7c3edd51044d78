import { maskCpf } from '#core/cpf.ts';
import { cents, toReais } from '#core/money.ts';
import { type Command, table, UsageFault } from '#platform/command.ts';
import type { Vault } from '#platform/vault.ts';
import { openCpf } from '../create-customer.ts';
import { type CreditUsed, countCustomers, type ListedCustomer, listCustomers } from '../store.ts';

export const customerList = (creditUsed: CreditUsed): Command => ({
  name: 'customer list',
  summary: 'show customers, oldest first',
  options: {
    page: { value: 'N', help: 'which page (default 1)' },
    limit: { value: 'N', help: 'how many to a page, at most 1000 (default 50)' },
    json: { help: 'one JSON object a line, for scripts' },
  },
  async run({ db, print, printError, vault }, args) {
    const page = readCount(args.option('page') ?? '1', 'page', 1_000_000);
    const limit = readCount(args.option('limit') ?? '50', 'limit', 1_000);
    const [customers, total] = await Promise.all([
      listCustomers(db, { offset: (page - 1) * limit, limit }, creditUsed),
      countCustomers(db),
    ]);
    const shown = customers.map((customer) => describe(customer, vault));
    if (args.has('json')) for (const customer of shown) print(JSON.stringify(customer));
    else if (total === 0) print(`No customers yet. Register one with 'semana customer create'.`);
    else {
      print(
        table(
          ['ID', 'NAME', 'PHONE', 'E-MAIL', 'CPF', 'LIMIT', 'USED', 'REFERRAL', 'LOGIN', 'STATE'],
          shown.map((c) => [
            ...[c.id, c.name, c.phone, c.email, c.cpf, c.credit_limit.toFixed(2), c.credit_used.toFixed(2)],
            ...[c.referral_code, c.login, c.locked_at ? `locked ${c.locked_at.slice(0, 10)}` : 'active'],
          ]),
        ),
      );
      printError(`Page ${page} of ${Math.max(1, Math.ceil(total / limit))}, ${total} in all.`);
    }
    return undefined;
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
