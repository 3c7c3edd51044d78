import type { Static } from 'typebox';
import { shown } from '#platform/http/shown.ts';
import type { Versioned } from './policy.ts';
import { CreditDecision } from './schemas.ts';
import type { DecisionRow } from './store.ts';

export type ShownDecision = Static<typeof CreditDecision>;

export const renderDecision = (row: DecisionRow): ShownDecision => ({
  ...shown(CreditDecision, row),
  facts: row.facts as Record<string, unknown>,
});

export const renderPolicy = ({ version, policy, set_by, set_at }: Versioned) => ({
  version,
  policy,
  set_by,
  set_at: set_at?.toISOString() ?? null,
});
