import type { Static } from 'typebox';
import { project } from '#platform/http/project.ts';
import type { VersionedPolicy } from './policy.ts';
import { CreditDecision } from './schemas.ts';
import type { DecisionRow } from './store.ts';

export type DecisionView = Static<typeof CreditDecision>;

export const renderDecision = (row: DecisionRow): DecisionView => ({
  ...project(CreditDecision, row),
  facts: row.facts as Record<string, unknown>,
});

export const renderPolicy = ({ version, policy, set_by, set_at }: VersionedPolicy) => ({
  version,
  policy,
  set_by,
  set_at: set_at?.toISOString() ?? null,
});
