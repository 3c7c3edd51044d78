import type { Cpf } from '#core/cpf.ts';
import type { Day } from '#core/day.ts';
import type { Cents } from '#core/money.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { service } from '#platform/service.ts';

/** What the sign-up knows. `counts` are sign-ups by kind, as `signUps` names them. */
type SignUpFacts = {
  readonly birthDate: Day;
  readonly invitedWith: string | null;
  readonly counts: Readonly<Record<string, number>>;
  readonly now: Date;
};

/** `keep` records the decision, once the customer exists. */
export type DecideFirstLimit = (
  tx: CustomerTx,
  facts: SignUpFacts,
) => Promise<{ readonly limit: Cents; keep(customerId: string): Promise<void> }>;

/** Decides on the credit limit of a new customer. Provided by decisions. */
export type FirstLimit = {
  /** The highest limit without approval by finance. */
  readonly most: Cents;
  /** Asks others over the network, before the transaction. Not about a CPF that is registered: that sign-up will be refused. */
  prepare(person: {
    readonly cpf: Cpf;
    readonly consent: string;
    isNew(): Promise<boolean>;
  }): Promise<DecideFirstLimit>;
};

export const firstLimit = service<FirstLimit>('first limit');
