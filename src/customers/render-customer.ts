import type { Static } from 'typebox';
import { cents, toReais } from '#core/values/money.ts';
import type { IdentityCache } from './identity.ts';
import type { Customer, CustomerItem } from './schemas.ts';
import type { CreditRow, CustomerRow, CustomerWithOverdue, StaffCustomerRow } from './store.ts';

const renderIdentity = (row: CustomerRow | StaffCustomerRow, identities: IdentityCache) => ({
  id: row.id,
  ...identities.decrypt(row),
  created_at: row.created_at.toISOString(),
});

const renderCredit = ({
  credit_limit_cents: limit,
  credit_used_cents: used,
}: Pick<CreditRow, 'credit_limit_cents' | 'credit_used_cents'>) => ({
  limit: toReais(cents(limit)),
  used: toReais(cents(used)),
  // The limit may have been lowered below the debt.
  available: toReais(cents(Math.max(0, limit - used))),
});

/** Nothing is available while a purchase would be refused. */
export function renderOwnCredit(row: CreditRow): Static<typeof Customer>['credit'] {
  const { blocked_by } = row;
  const credit = renderCredit(row);
  return { ...credit, available: blocked_by === null ? credit.available : 0, blocked_by };
}

export const renderCustomer = (row: CustomerRow, identities: IdentityCache): Static<typeof Customer> => ({
  ...renderIdentity(row, identities),
  credit: renderOwnCredit(row),
});

export function renderForStaff(
  row: StaffCustomerRow,
  identities: IdentityCache,
): Omit<Static<typeof CustomerItem>, 'overdue'> {
  return {
    ...renderIdentity(row, identities),
    credit: renderCredit(row),
    referral_code: row.referral_code,
    locked_at: row.locked_at?.toISOString() ?? null,
    erased_at: row.erased_at?.toISOString() ?? null,
  };
}

export const renderCustomerItem = (
  row: CustomerWithOverdue,
  identities: IdentityCache,
): Static<typeof CustomerItem> => ({ ...renderForStaff(row, identities), overdue: renderOverdue(row) });

const renderOverdue = ({ overdue }: Pick<CustomerWithOverdue, 'overdue'>) => ({
  amount: toReais(cents(overdue?.cents ?? 0)),
  since: overdue?.since ?? null,
});
