import type { Role } from '#platform/http/access.ts';
import { defineService } from '#platform/service.ts';
import type { ApiKey } from './store.ts';

export type StaffPrincipal = { id: string; partnerId: string; staffUserId: string; role: Role };

/** Finds the session of a token, or throws. `allowsUnverified`: also accepts a session whose second factor is missing. */
export const staffSessionFinder =
  defineService<(token: string, allowsUnverified: boolean) => Promise<StaffPrincipal>>('staff sessions');

/** A key without limits, origins and a merchant. */
export const UNRESTRICTED = {
  allowed_origins: [],
  return_origins: [],
  requests_per_minute: null,
  backend: false,
  expires_at: null,
  merchant_id: null,
};

export const toApiKey = ({ id, partnerId, staffUserId, role }: StaffPrincipal): ApiKey => ({
  id,
  partner_id: partnerId,
  scopes: ['operator'],
  ...UNRESTRICTED,
  person_id: staffUserId,
  role,
});
