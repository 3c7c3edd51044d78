import { toReais } from '#core/values/money.ts';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { recordAndCountAttempts } from '#platform/http/attempt-limits.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import { decryptIdentity } from './identity.ts';
import { MAX_SIGNUPS, signUpCounters } from './limits.ts';
import type { RegistrationDeps } from './register-customer.ts';
import { type LoginRow, updateCreditLimit } from './store.ts';

/**
 * Decides on the limit of a customer whom staff registered without one, in the transaction in which the customer proves with a code that
 * the phone is theirs. The facts are those of a sign-up. A right code always opens, so no number of sign-ups refuses it.
 */
export async function decideAwaitedLimit(
  tx: CustomerTx,
  deps: RegistrationDeps,
  customer: LoginRow,
  { ipAddress, deviceId }: Pick<Caller, 'ipAddress' | 'deviceId'>,
): Promise<void> {
  if (!customer.awaits_first_limit) return;
  const now = deps.clock.now();
  const unlimited = { ...deps, maxSignUpsPerAddress: MAX_SIGNUPS };
  const counts = await recordAndCountAttempts(tx, signUpCounters(unlimited, { ipAddress, deviceId }), now);
  const decide = await deps.firstLimit.prepare(null);
  const { birth_date: birthDate } = decryptIdentity(deps.vault, customer);
  const { limit, save } = await decide(tx, { birthDate, referrerCode: null, counts, now });
  await updateCreditLimit(tx, customer.id, limit);
  await save(customer.id);
  if (limit === 0) return;
  const data = { limit: toReais(limit), offered: null };
  await deps.events.emit(tx, { type: 'credit.limit_changed', customerId: customer.id, data }, now);
}
