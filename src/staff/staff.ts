import type { Deps } from '#module';
import type { PasswordHashers } from '#platform/passwords/hashers.ts';
import type { Mode } from '#platform/settings.ts';
import type { renderAuditTrail } from './render-audit-trail.ts';
import type { StaffSettings } from './settings.ts';

export type StaffDeps = Pick<Deps, 'db' | 'clock' | 'vault'> &
  StaffSettings & {
    readonly mode: Mode;
    readonly hashers: PasswordHashers;
    readonly listMemberNames: Parameters<typeof renderAuditTrail>[2];
  };

/** Name of the partner that owns the API keys of staff users. */
export const OPERATOR_PARTNER = 'Operator';
