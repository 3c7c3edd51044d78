import type { Static } from 'typebox';
import { cents, toReais } from '#core/money.ts';
import type { People } from './people.ts';
import type { Customer, CustomerItem } from './schemas.ts';
import type { CustomerRow, FoundCustomer, ListedCustomer } from './store.ts';

export function renderCustomer(row: CustomerRow, people: People): Static<typeof Customer> {
  const limitCents = row.credit_limit_cents;
  const usedCents = row.credit_used_cents;
  return {
    id: row.id,
    ...people.of(row),
    created_at: row.created_at.toISOString(),
    credit: {
      limit: toReais(cents(limitCents)),
      used: toReais(cents(usedCents)),
      // A limit that was lowered below the debt leaves zero, not a negative amount.
      available: toReais(cents(Math.max(0, limitCents - usedCents))),
    },
  };
}

export function renderForOperator(
  row: ListedCustomer,
  people: People,
): Omit<Static<typeof CustomerItem>, 'overdue'> {
  return {
    ...renderCustomer(row, people),
    referral_code: row.referral_code,
    locked_at: row.locked_at?.toISOString() ?? null,
    erased_at: row.erased_at?.toISOString() ?? null,
  };
}

export const renderFound = (row: FoundCustomer, people: People): Static<typeof CustomerItem> => ({
  ...renderForOperator(row, people),
  overdue: renderOverdue(row),
});

export const renderOverdue = ({ overdue }: Pick<FoundCustomer, 'overdue'>) => ({
  amount: toReais(cents(overdue?.cents ?? 0)),
  since: overdue?.since ?? null,
});
