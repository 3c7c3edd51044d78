import type { Deps } from '#module';
import type { Queryable } from '#platform/database/db.ts';
import type { PasswordHashers } from '#platform/passwords/hashers.ts';
import { defineService } from '#platform/service.ts';
import type { Mode } from '#platform/settings.ts';
import type { StaffSettings } from './settings.ts';

export type StaffDeps = Pick<Deps, 'db' | 'clock' | 'vault'> &
  StaffSettings & {
    readonly mode: Mode;
    readonly hashers: PasswordHashers;
    readonly listMemberNames: ListNames | undefined;
  };

export const OPERATOR_PARTNER = 'Operator';

export type ListNames = (db: Queryable, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** Lists names of members of merchants, who can be actors in the audit trail too. */
export const merchantMemberNames = defineService<ListNames>('memberNames');
