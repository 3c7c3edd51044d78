import { LRUCache } from 'lru-cache';
import { type Cpf, maskCpf } from '#core/cpf.ts';
import type { Day } from '#core/day.ts';
import type { Vault } from '#platform/privacy/vault.ts';

/** Who a customer is: kept sealed, all of it under one seal, because what is shown of somebody is shown together. */
export type Identity = {
  readonly name: string;
  readonly phone: string;
  readonly email: string;
  readonly cpf: Cpf;
  /** null where the operator registered somebody without it. */
  readonly birth_date: Day | null;
};

export type SealedIdentity = { id: string; person_sealed: Buffer };

export const sealIdentity = (vault: Vault, id: string, identity: Identity): Buffer =>
  vault.pack(JSON.stringify(identity), `customer ${id}`);

export const openIdentity = (vault: Vault, { id, person_sealed }: SealedIdentity): Identity =>
  JSON.parse(vault.unpack(person_sealed, `customer ${id}`));

/** By which a customer, or an offer to one, is found without reading any phone. */
export const hashPhone = (vault: Vault, phone: string): Buffer => vault.hash('whose phone', phone);

/** Where the phone of somebody is forgotten. */
export const NO_HASH = Buffer.alloc(0);

const MOST_REMEMBERED = 10_000;

type ShownIdentity = {
  readonly name: string;
  readonly phone: string;
  readonly email: string;
  readonly cpf: string;
};

/**
 * Customers as they may be shown, the CPF masked. To open a seal is a tenth of what /wallet/me costs, so what was in it is kept, by
 * the seal. By its text: a small buffer is part of a pool of 64 KiB, and keeping it keeps all of that.
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
