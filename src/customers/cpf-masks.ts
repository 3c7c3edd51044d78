import { maskCpf } from '#core/cpf.ts';
import type { Vault } from '#platform/vault.ts';
import { openCpf } from './create-customer.ts';

const MOST_REMEMBERED = 10_000;

type SealedCpf = { id: string; cpf_sealed: Buffer; cpf_key_version: number };

/** CPFs as they may be shown. To open one is a tenth of what /wallet/me costs, so the mask is kept as long as the seal. */
export class CpfMasks {
  readonly #vault: Vault;
  readonly #masks = new Map<string, { sealed: Buffer; mask: string }>();

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  of(row: SealedCpf): string {
    const kept = this.#masks.get(row.id);
    if (kept?.sealed.equals(row.cpf_sealed)) return kept.mask;
    const mask = maskCpf(openCpf(this.#vault, row));
    if (this.#masks.size >= MOST_REMEMBERED) this.#masks.clear();
    this.#masks.set(row.id, { sealed: Buffer.from(row.cpf_sealed), mask });
    return mask;
  }
}
