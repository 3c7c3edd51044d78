import type { Deps } from '#module';
import type { Hashers } from '#platform/passwords/hashers.ts';
import type { Mode } from '#platform/settings.ts';
import type { renderTrail } from './render-trail.ts';
import type { StaffSettings } from './settings.ts';

export type Staff = Pick<Deps, 'db' | 'clock' | 'vault'> &
  StaffSettings & {
    readonly mode: Mode;
    readonly hashers: Hashers;
    readonly listMembers: Parameters<typeof renderTrail>[2];
  };
