import { text as readText } from 'node:stream/consumers';
import { parseBirthDate } from '#core/age.ts';
import { parseCpf } from '#core/cpf.ts';
import { readReais, ZERO } from '#core/money.ts';
import type { Events } from '#events';
import {
  type Arguments,
  type Command,
  type CommandContext,
  UsageFault,
} from '#platform/command-line/command.ts';
import { createByReference, REFERENCE } from '#platform/command-line/reference.ts';
import { forNewCustomers } from '#platform/database/customer-transaction.ts';
import { isText, readPhone } from '#platform/http/formats.ts';
import { hashPassword } from '#platform/passwords/argon2.ts';
import { WEAKNESSES } from '#platform/passwords/problems.ts';
import { findWeakness } from '#platform/passwords/strength.ts';
import { changeByCommand, recordCreation } from '#platform/privacy/trail.ts';
import { type CustomerWishes, createCustomer } from '../create-customer.ts';
import { People } from '../people.ts';
import { renderForOperator } from '../render-customer.ts';
import { isPasswordLength } from '../schemas.ts';
import { type CreditUsed, findListedCustomer } from '../store.ts';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export const customerCreate = (events: Events, creditUsed: CreditUsed): Command => ({
  name: 'customer create',
  summary: 'register a customer',
  options: {
    name: { value: 'TEXT', help: 'full name', required: true },
    phone: { value: 'PHONE', help: 'like +5511987654321 or 11 98765-4321, unique', required: true },
    email: { value: 'EMAIL', help: 'e-mail address', required: true },
    cpf: { value: 'CPF', help: 'taxpayer number, with or without punctuation, unique', required: true },
    'birth-date': { value: 'DAY', help: 'like 1990-05-31' },
    'credit-limit': {
      value: 'REAIS',
      help: 'how much may be owed at most, e.g. 1500 or 1.500,00 (default 0)',
    },
    'referral-code': { value: 'CODE', help: 'code of the customer who invited this one' },
    reference: REFERENCE,
    'password-stdin': { help: 'read a password from standard input (otherwise: login by code only)' },
  },
  details: 'The id goes to standard output.',
  examples: [
    `semana customer create --name "Ana Souza" --phone +5511987650001 --email ana@example.com --cpf 123.456.789-09 --credit-limit 1500`,
    `printf %s "$PASSWORD" | semana customer create ... --password-stdin`,
  ],
  async run(context, args) {
    const { clock, vault } = context;
    const wishes = readWishes(args);
    const password = await readPassword(args, context);
    const weakness = password === null ? undefined : await findWeakness(password, wishes);
    if (weakness !== undefined)
      throw new UsageFault(`The password is too easy to guess. ${WEAKNESSES[weakness].en}`);
    const invitedWith = args.option('referral-code') ?? null;
    const passwordHash = password === null ? null : hashPassword(password);
    const request = { name: 'customer create', request: [wishes, password, invitedWith] };
    return createByReference({ ...context, db: forNewCustomers(context.db) }, args, request, async (tx) => {
      const customer = { ...wishes, passwordHash, invitedWith };
      const { id } = await createCustomer(tx, customer, { vault, clock, events });
      const shown = renderForOperator((await findListedCustomer(tx, id, creditUsed))!, new People(vault));
      await recordCreation(tx, changeByCommand(context, 'customer create'), { kind: 'customer', id }, shown);
      return { output: id, note: 'Customer registered.' };
    });
  },
});

/** Parses the options of a customer. Reports all faults together. */
export function readOptions(args: Arguments) {
  const faults: string[] = [];
  const option = <T>(name: string, read: (text: string) => T | null, rule: string): T | undefined => {
    const text = args.option(name)?.trim();
    const value = text === undefined ? undefined : read(text);
    if (value === null) faults.push(rule);
    return value ?? undefined;
  };
  const when = (right: (text: string) => boolean) => (text: string) => (right(text) ? text : null);
  const isName = (text: string) => isText(text) && text.length <= 200;
  const isEmail = (text: string) => EMAIL.test(text) && text.length <= 254;
  const limit = '--credit-limit is an amount in reais, like 1500 or 1.500,50';
  const change = {
    name: option('name', when(isName), '--name has 1 to 200 characters'),
    email: option('email', when(isEmail), '--email is no e-mail address'),
    phone: option('phone', readPhone, '--phone is written like +5511987654321 or 11 98765-4321'),
    creditLimit: option('credit-limit', readLimit, limit),
  };
  return { change, option, faults };
}

function readWishes(args: Arguments): Omit<CustomerWishes, 'passwordHash'> {
  const { change, option, faults } = readOptions(args);
  const wishes = {
    ...change,
    creditLimit: change.creditLimit ?? ZERO,
    cpf: option('cpf', parseCpf, '--cpf is wrong: its check digits do not agree'),
    birthDate: option('birth-date', parseBirthDate, '--birth-date is written like 1990-05-31'),
  };
  if (faults.length > 0) throw new UsageFault(`${faults.join('; ')}.`);
  return wishes as Omit<CustomerWishes, 'passwordHash'>;
}

function readLimit(text: string) {
  const limit = readReais(text);
  return limit !== null && limit >= 0 ? limit : null;
}

async function readPassword(args: Arguments, { stdin }: CommandContext): Promise<string | null> {
  if (!args.has('password-stdin')) return null;
  const password = (await readText(stdin)).replace(/\r?\n$/, '');
  if (!isPasswordLength(password)) throw new UsageFault('A password has 8 to 200 characters.');
  return password;
}
