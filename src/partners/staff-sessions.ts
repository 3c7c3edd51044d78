import type { Role } from '#platform/http/access.ts';
import { service } from '#platform/service.ts';
import type { ApiKey } from './api-key.ts';

/** A session of one of the operator's people, who signed in at the back office. */
export type SessionKey = { id: string; partnerId: string; personId: string; role: Role };

/**
 * Finds the session of a token, or throws a problem. `isBegunEnough`: also one whose second factor is missing. Provided by staff.
 */
export const staffSessions =
  service<(token: string, isBegunEnough: boolean) => Promise<SessionKey>>('staff sessions');

/** A session as the guard sees it: a key of the person's, whose office names the address it is used from. */
export const keyOfSession = ({ id, partnerId, personId, role }: SessionKey): ApiKey => ({
  id,
  partnerId,
  scopes: ['operator'],
  allowedOrigins: [],
  returnOrigins: [],
  requestsPerMinute: null,
  backend: true,
  expiresAt: null,
  merchantId: null,
  personId,
  role,
});
