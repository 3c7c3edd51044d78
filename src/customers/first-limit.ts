import type { Cpf } from '#core/values/cpf.ts';
import type { Day } from '#core/values/day.ts';
import type { Cents } from '#core/values/money.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { defineService } from '#platform/service.ts';

/** Facts known at sign-up. `signUps`: recent sign-ups from the IP address, the network and the device, by kind of counter. */
type SignUpFacts = {
  readonly birthDate: Day | null;
  readonly referrerCode: string | null;
  readonly signUps: Readonly<Record<string, number>>;
  readonly now: Date;
};

/** `saveDecision` stores the decision. Call it once the customer exists. */
export type DecideFirstLimit = (
  tx: CustomerTx,
  facts: SignUpFacts,
) => Promise<{ readonly limit: Cents; saveDecision(customerId: string): Promise<void> }>;

/** Decides on the credit limit of a new customer. Provided by the decisions module. */
export type FirstLimitDecider = {
  /**
   * Requests a credit report over the network, before the transaction. Requests none if the CPF is registered, because the sign-up will be
   * refused, or if `person` is null, because there is no consent. Without a report the score is unknown. `consent` is the version of the
   * terms with which the person consented to the report.
   */
  prepare(
    person: { readonly cpf: Cpf; readonly consent: string; isNew(): Promise<boolean> } | null,
  ): Promise<DecideFirstLimit>;
};

export const firstLimitService = defineService<FirstLimitDecider>('first limit');
