import { LRUCache } from 'lru-cache';
import { type Static, type TObject, Type } from 'typebox';
import { type Cpf, maskCpf } from '#core/values/cpf.ts';
import type { Day } from '#core/values/day.ts';
import { column, columns, type RowOf } from '#platform/database/columns.ts';
import { Personal } from '#platform/http/masking.ts';
import type { Vault } from '#platform/vault.ts';

export const EXAMPLE_PHONE = '+5511987650001';

/**
 * The personal fields of a customer that both the customer and staff see. Their masks in the staff API, in CSV and in the audit trail,
 * their export, erasure and reencryption follow from this declaration.
 */
export const identityFields = {
  name: Personal('name', { examples: ['Ana Souza'] }),
  phone: Personal('phone', { examples: [EXAMPLE_PHONE] }),
  email: Personal('email', { examples: ['ana@example.com'] }),
};

/** These fields are encrypted as one value, because they are displayed together. */
const storedIdentityFields = {
  ...identityFields,
  cpf: Type.Unsafe<Cpf>(Type.String()),
  /** null if the operator registered the customer without a birth date. */
  birth_date: Type.Unsafe<Day | null>({ type: ['string', 'null'] }),
};

export type Identity = Readonly<Static<TObject<typeof storedIdentityFields>>>;

export const identityColumns = columns({
  id: column.text(),
  person_sealed: column.encryptedFields(storedIdentityFields, { context: 'customer' }),
});
export type EncryptedIdentity = RowOf<typeof identityColumns>;
const { person_sealed: identityColumn } = identityColumns.declarations;

export const encryptIdentity = (vault: Vault, id: string, identity: Identity): Buffer =>
  identityColumn.encrypt(vault, id, identity);

export const decryptIdentity = (vault: Vault, { id, person_sealed }: EncryptedIdentity): Identity =>
  identityColumn.decrypt(vault, id, person_sealed);

/** Part of every stored phone hash, so it must not change. */
const PHONE_HASH_KIND = 'whose phone';

/** Returns a keyed hash, to look up a customer or an offer without storing the phone in plain text. */
export const hashPhone = (vault: Vault, phone: string): Buffer => vault.hash(PHONE_HASH_KIND, phone);

/** Replaces the phone hash of an erased person. */
export const ERASED_PHONE_HASH = Buffer.alloc(0);

const MAX_CACHED_IDENTITIES = 10_000;

type MaskedIdentity = Omit<Identity, 'cpf' | 'birth_date'> & { readonly cpf: string };

/**
 * Decrypts identities for display, with a masked CPF. Decryption is a tenth of the cost of /wallet/me, so results are cached by
 * ciphertext. The cache key is a string, because a Map compares buffers by identity.
 */
export class IdentityCache {
  readonly #vault: Vault;
  readonly #cache = new LRUCache<string, MaskedIdentity>({ max: MAX_CACHED_IDENTITIES });

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  decrypt(row: EncryptedIdentity): MaskedIdentity {
    const cacheKey = `${row.id} ${row.person_sealed.toString('latin1')}`;
    const cachedIdentity = this.#cache.get(cacheKey);
    if (cachedIdentity !== undefined) return cachedIdentity;
    const { cpf, birth_date: _, ...fields } = decryptIdentity(this.#vault, row);
    const identity = { ...fields, cpf: maskCpf(cpf) };
    this.#cache.set(cacheKey, identity);
    return identity;
  }
}
