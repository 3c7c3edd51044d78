import { buildQueryTokens, buildWordTokens } from '#catalog';
import { type Cpf, parseCpf } from '#core/values/cpf.ts';
import { normalizePhone } from '#platform/http/formats.ts';
import type { Vault } from '#platform/vault.ts';
import type { Identity } from './identity.ts';

/** Fewer digits would match too many customers. */
const MIN_PHONE_SUFFIX_LENGTH = 4;

const hashToken = (vault: Vault, kind: string, text: string): string =>
  vault.hash(kind, text).readBigInt64BE().toString();

/**
 * Builds the search tokens of a customer, whose data is encrypted: keyed hashes of the prefixes of each word of the name and of the
 * complete word, of the complete e-mail, and of every suffix of at least four digits of the phone.
 */
export function buildSearchTokens(
  vault: Vault,
  { name, email, phone }: Pick<Identity, 'name' | 'email' | 'phone'>,
) {
  const digits = phone.replaceAll(/\D/g, '');
  const suffixes = Array.from({ length: Math.max(0, digits.length - MIN_PHONE_SUFFIX_LENGTH + 1) }, (_, i) =>
    digits.slice(i),
  );
  return [
    ...buildWordTokens(vault, 'name', name),
    hashEmail(vault, email),
    ...suffixes.map((suffix) => hashToken(vault, 'end of phone', suffix)),
  ];
}

const hashEmail = (vault: Vault, email: string) =>
  hashToken(vault, 'whole e-mail', email.trim().toLowerCase());

export type CustomerSearchInput = {
  name?: string | undefined;
  /** The complete phone in any common format, or its last digits. */
  phone?: string | undefined;
  email?: string | undefined;
  cpf?: string | undefined;
  /** A name, phone, e-mail or CPF, recognised by its form. */
  q?: string | undefined;
  /** Only complete words and numbers match, for callers who see names and phones masked. */
  wholeWords?: boolean;
};

/** A customer matches if it has all `tokens` and this `cpf`. Null: no customer can match. */
export function buildSearchKeys(vault: Vault, { q, wholeWords = false, ...search }: CustomerSearchInput) {
  const classified = q === undefined ? {} : classifyQuery(q);
  const {
    name = classified.name,
    phone = classified.phone,
    email = classified.email,
    cpf = classified.cpf,
  } = search;
  const nameTokens = name === undefined ? [] : buildQueryTokens(vault, 'name', name, { wholeWords });
  const wholePhone = phone === undefined ? null : normalizePhone(phone);
  const suffix = phone === undefined ? undefined : (wholePhone ?? phone).replaceAll(/\D/g, '');
  if (
    (name !== undefined && nameTokens.length === 0) ||
    (suffix !== undefined && (suffix.length < MIN_PHONE_SUFFIX_LENGTH || (wholeWords && wholePhone === null)))
  )
    return null;
  return {
    tokens: [
      ...nameTokens,
      ...(email === undefined ? [] : [hashEmail(vault, email)]),
      ...(suffix === undefined ? [] : [hashToken(vault, 'end of phone', suffix)]),
    ],
    cpf: cpf === undefined ? undefined : (parseCpf(cpf) as Cpf),
  };
}

function classifyQuery(q: string): Omit<CustomerSearchInput, 'q' | 'wholeWords'> {
  if (q.includes('@')) return { email: q };
  if (!/^[+\d\s().-]+$/.test(q)) return { name: q };
  return parseCpf(q) && !normalizePhone(q) ? { cpf: q } : { phone: q };
}
