import type { Cpf } from '#core/cpf.ts';
import type { BureauReport } from './store.ts';

/** A credit bureau. */
export type Bureau = {
  /** Undefined when it is away, slow or not to be understood. Never throws. */
  ask(cpf: Cpf): Promise<BureauReport | undefined>;
};
