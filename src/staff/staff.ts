import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database/db.ts';
import type { Hashers } from '#platform/passwords/hashers.ts';
import type { Vault } from '#platform/privacy/vault.ts';
import type { Mode } from '#platform/settings.ts';
import type { renderTrail } from './render-trail.ts';

export type Staff = {
  readonly db: Db;
  readonly clock: Clock;
  readonly mode: Mode;
  readonly vault: Vault;
  readonly hashers: Hashers;
  readonly listMembers: Parameters<typeof renderTrail>[2];
  /** With `{token}`. */
  readonly inviteLink: string;
};
