import { LRUCache } from 'lru-cache';
import { type Cpf, maskCpf } from '#core/cpf.ts';
import type { Day } from '#core/day.ts';
import type { Vault } from '#platform/vault.ts';

/** The personal data of a customer, encrypted as one value, because it is shown together. */
export type Identity = {
  readonly name: string;
  readonly phone: string;
  readonly email: string;
  readonly cpf: Cpf;
  /** null where the operator registered the customer without it. */
  readonly birth_date: Day | null;
};

export type SealedIdentity = { id: string; person_sealed: Buffer };

export const sealIdentity = (vault: Vault, id: string, identity: Identity): Buffer =>
  vault.pack(JSON.stringify(identity), `customer ${id}`);

export const openIdentity = (vault: Vault, { id, person_sealed }: SealedIdentity): Identity =>
  JSON.parse(vault.unpack(person_sealed, `customer ${id}`));

/** Keyed hashes: lookups of a customer, or of an offer, without a plain phone. */
export const hashPhone = (vault: Vault, phone: string): Buffer => vault.hash('whose phone', phone);

export const NO_HASH = Buffer.alloc(0);

const MOST_REMEMBERED = 10_000;

type ShownIdentity = Pick<Identity, 'name' | 'phone' | 'email'> & { readonly cpf: string };

/**
 * Customers for display, with a masked CPF. Decryption is a tenth of the cost of /wallet/me, so results are cached, by the
 * ciphertext. The key is text: a small buffer would keep its 64 KiB pool in memory.
 */
export class People {
  readonly #vault: Vault;
  readonly #shown = new LRUCache<string, ShownIdentity>({ max: MOST_REMEMBERED });

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  of(row: SealedIdentity): ShownIdentity {
    const seal = `${row.id} ${row.person_sealed.toString('latin1')}`;
    const kept = this.#shown.get(seal);
    if (kept !== undefined) return kept;
    const { name, phone, email, cpf } = openIdentity(this.#vault, row);
    const shown = { name, phone, email, cpf: maskCpf(cpf) };
    this.#shown.set(seal, shown);
    return shown;
  }
}
