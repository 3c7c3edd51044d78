import { LRUCache } from 'lru-cache';
import { maskCpf } from '#core/cpf.ts';
import type { Vault } from '#platform/vault.ts';
import { openCpf } from './create-customer.ts';

const MOST_REMEMBERED = 10_000;

type SealedCpf = { id: string; cpf_sealed: Buffer; cpf_key_version: number };

/**
 * CPFs as they may be shown. To open one is a tenth of what /wallet/me costs, so the mask is kept, by the seal it was made from.
 * By its text: a small buffer is part of a pool of 64 KiB, and keeping it keeps all of that.
 */
export class CpfMasks {
  readonly #vault: Vault;
  readonly #masks = new LRUCache<string, string>({ max: MOST_REMEMBERED });

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  of(row: SealedCpf): string {
    const seal = `${row.id} ${row.cpf_sealed.toString('latin1')}`;
    const kept = this.#masks.get(seal);
    if (kept !== undefined) return kept;
    const mask = maskCpf(openCpf(this.#vault, row));
    this.#masks.set(seal, mask);
    return mask;
  }
}
