import type { Role } from '#platform/http/access.ts';
import { defineService } from '#platform/service.ts';
import type { ApiKey } from './api-key.ts';

/** A session of a staff user who signed in to the back office. */
export type StaffPrincipal = { id: string; partnerId: string; staffUserId: string; role: Role };

/**
 * Finds the session of a token, or throws a problem. `allowsUnverified`: also accepts a session whose second factor is missing.
 * Provided by the staff module.
 */
export const staffSessionFinder =
  defineService<(token: string, allowsUnverified: boolean) => Promise<StaffPrincipal>>('staff sessions');

/** Represents a session as an API key for the guard. */
export const toApiKey = ({ id, partnerId, staffUserId, role }: StaffPrincipal): ApiKey => ({
  id,
  partnerId,
  scopes: ['operator'],
  allowedOrigins: [],
  returnOrigins: [],
  requestsPerMinute: null,
  backend: false,
  expiresAt: null,
  merchantId: null,
  staffUserId,
  role,
});
