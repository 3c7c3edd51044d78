import type { Deps } from '#module';
import type { Queryable } from '#platform/database/db.ts';
import type { Role } from '#platform/http/access.ts';
import { defineService } from '#platform/service.ts';
import type { Mode } from '#platform/settings.ts';
import type { ApiKey } from './store.ts';

/** Finds the id of a merchant by slug. Provided by the module that owns merchants. */
type FindMerchantId = (db: Queryable, slug: string) => Promise<number | undefined>;

type FindMerchantSlugs = (db: Queryable, ids: readonly number[]) => Promise<ReadonlyMap<number, string>>;

export const merchantSlugLookup = defineService<FindMerchantSlugs>('merchant slugs');

export const merchantIdLookup = defineService<FindMerchantId>('merchant directory');

export type PartnersDeps = Pick<Deps, 'db' | 'clock'> & {
  readonly mode: Mode;
  readonly findMerchantId: FindMerchantId | undefined;
  readonly findMerchantSlugs: FindMerchantSlugs | undefined;
};

export type StaffPrincipal = { id: string; partnerId: string; staffUserId: string; role: Role };

/** Finds the session of a token, or throws. With `allowsUnverifiedSession` the session may lack a second factor. */
export type FindStaffSession = (token: string, allowsUnverifiedSession: boolean) => Promise<StaffPrincipal>;

export const staffSessionFinder = defineService<FindStaffSession>('staff sessions');

/** The fields of a key without a rate limit, origins, an expiry or a merchant. */
export const UNRESTRICTED_KEY_FIELDS = {
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
  ...UNRESTRICTED_KEY_FIELDS,
  person_id: staffUserId,
  role,
});
