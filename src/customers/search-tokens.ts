import { searchTokens, wordTokens } from '#catalog';
import { type Cpf, parseCpf } from '#core/cpf.ts';
import { readPhone } from '#platform/http/formats.ts';
import type { Vault } from '#platform/vault.ts';
import type { Identity } from './people.ts';

/** Fewer digits would find too many. */
const SHORTEST_PHONE_END = 4;

const tokenOf = (vault: Vault, kind: string, text: string): string =>
  vault.hash(kind, text).readBigInt64BE().toString();

/**
 * Search tokens of a customer, whose data is encrypted: keyed hashes of the prefixes of the name's words, of the whole e-mail, and of
 * the last four and more digits of the phone.
 */
export function tokensOf(vault: Vault, { name, email, phone }: Pick<Identity, 'name' | 'email' | 'phone'>) {
  const digits = phone.replaceAll(/\D/g, '');
  const ends = Array.from({ length: Math.max(0, digits.length - SHORTEST_PHONE_END + 1) }, (_, i) =>
    digits.slice(i),
  );
  return [
    ...wordTokens(vault, 'name', name),
    emailToken(vault, email),
    ...ends.map((end) => tokenOf(vault, 'end of phone', end)),
  ];
}

const emailToken = (vault: Vault, email: string) =>
  tokenOf(vault, 'whole e-mail', email.trim().toLowerCase());

export type Search = {
  /** Prefixes of the name's words. */
  name?: string | undefined;
  /** The whole phone, as people write it, or its last digits. */
  phone?: string | undefined;
  email?: string | undefined;
  cpf?: string | undefined;
  /** Any of these, recognised by its form. */
  q?: string | undefined;
};

/** A customer matches who has all `tokens` and this `cpf`. Null: nobody can match. */
export function searchKeysOf(vault: Vault, { q, ...search }: Search) {
  const asked = q === undefined ? {} : readQuestion(q);
  const { name = asked.name, phone = asked.phone, email = asked.email, cpf = asked.cpf } = search;
  const named = name === undefined ? [] : searchTokens(vault, 'name', name);
  const end = phone === undefined ? undefined : (readPhone(phone) ?? phone).replaceAll(/\D/g, '');
  if ((name !== undefined && named.length === 0) || (end !== undefined && end.length < SHORTEST_PHONE_END))
    return null;
  return {
    tokens: [
      ...named,
      ...(email === undefined ? [] : [emailToken(vault, email)]),
      ...(end === undefined ? [] : [tokenOf(vault, 'end of phone', end)]),
    ],
    cpf: cpf === undefined ? undefined : (parseCpf(cpf) as Cpf),
  };
}

function readQuestion(q: string): Omit<Search, 'q'> {
  if (q.includes('@')) return { email: q };
  if (!/^[+\d\s().-]+$/.test(q)) return { name: q };
  return parseCpf(q) && !readPhone(q) ? { cpf: q } : { phone: q };
}
