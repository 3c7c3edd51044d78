import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '#platform/clock.ts';
import { type Access, hasRole, listRoles, type RequiredRole } from '#platform/http/access.ts';
import type { ApiServerOptions } from '#platform/http/api-server.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import type { SyncGuard } from '#platform/http/fast-path.ts';
import type { Metrics } from '#platform/observability/metrics.ts';
import type { Problem } from '#platform/problem.ts';
import type { Scope } from './api-key.ts';
import { readDeviceId, resolveClientAddress } from './client-address.ts';
import { allowOrigin } from './cors.ts';
import type { Keyring, KeyUseRecorder } from './keyring.ts';
import { apiKeyInvalid, apiKeyMissing, rateLimited, roleMissing, scopeMissing } from './problems.ts';
import type { Allowance, RateLimiter } from './rate-limiter.ts';
import { type FindStaffSession, toApiKey } from './services.ts';
import type { ApiKey } from './store.ts';

type KeyAccess = Exclude<Access, 'open'>;
type RequiredScope = KeyAccess['scope'];

const listAcceptedScopes = (requiredScope: RequiredScope): readonly Scope[] => {
  if (requiredScope === 'partner') return ['public', 'wallet', 'merchant'];
  return requiredScope === 'merchant' ? ['merchant', 'till'] : [requiredScope];
};

const hasScope = ({ scopes }: ApiKey, requiredScope: RequiredScope): boolean =>
  listAcceptedScopes(requiredScope).some((scope) => scopes.includes(scope));

/**
 * Admits a request whose API key has the scope that the endpoint requires. The guard returns a
 * promise if the caller has a staff session, or if the key or its rate limit is not cached.
 */
export function createApiKeyGuard(deps: {
  keyring: Keyring;
  limiter: RateLimiter;
  keyUseRecorder: KeyUseRecorder;
  clock: Clock;
  metrics: Metrics;
  getStaffSessionFinder: () => FindStaffSession | undefined;
}): ApiServerOptions['guard'] {
  const { keyring, limiter, keyUseRecorder, clock, metrics, getStaffSessionFinder } = deps;

  const countRefusal = (problem: Problem): Problem => {
    metrics.keyRefusals.inc({ code: problem.kind.code });
    return problem;
  };

  function admitRequest(request: FastifyRequest, reply: FastifyReply, key: ApiKey | null, access: KeyAccess) {
    const { scope } = access;
    if (!key) throw countRefusal(apiKeyInvalid('unknown'));
    if (key.expires_at && key.expires_at <= clock.now()) throw countRefusal(apiKeyInvalid('expired'));
    // Empty strings and 0 stand for no principal of that kind. The guards of customers and members set theirs later.
    request.caller = {
      partnerId: key.partner_id,
      keyId: key.id,
      scopes: key.scopes,
      ipAddress: resolveClientAddress(request, key),
      deviceId: readDeviceId(request),
      isBackend: key.backend,
      customerId: '',
      sessionId: '',
      merchantId: key.merchant_id ?? 0,
      memberId: '',
      member: null,
      returnOrigins: key.return_origins,
      staffUserId: key.person_id ?? '',
      role: key.role ?? '',
    };
    allowOrigin(request, reply, key);
    if (!hasScope(key, scope)) throw countRefusal(scopeMissing(listAcceptedScopes(scope), key.scopes));
    if (access.scope === 'operator' && !mayCallEndpoint(request.caller, access))
      throw countRefusal(
        roleMissing(listPermittedRoles(access.role), request.caller.role, access.fieldRoles),
      );
    keyUseRecorder.record(key.id);
    return key.requests_per_minute === null ? undefined : limitRate(reply, key.id, key.requests_per_minute);
  }

  function limitRate(reply: FastifyReply, keyId: string, limit: number): Promise<undefined> | undefined {
    const applyAllowance = (allowance: Allowance): undefined => {
      reply.header('ratelimit-policy', `"minute";q=${limit};w=60`);
      reply.header('ratelimit', `"minute";r=${allowance.remaining};t=${allowance.secondsLeft}`);
      if (allowance.granted) return undefined;
      throw countRefusal(
        rateLimited({
          en: `This key may send ${limit} requests per minute. The next minute starts in ${allowance.secondsLeft} s.`,
          pt: `Esta chave pode fazer ${limit} requisições por minuto. O próximo minuto começa em ${allowance.secondsLeft} s.`,
          headers: { 'retry-after': String(allowance.secondsLeft) },
        }),
      );
    };
    const allowance = limiter.takeRequest(keyId, limit);
    return allowance instanceof Promise ? allowance.then(applyAllowance) : applyAllowance(allowance);
  }

  return (request, reply, access) => {
    if (access === 'open') return undefined;
    const secret = request.headers['x-api-key'];
    if (typeof secret !== 'string' || secret === '') {
      const [, token] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
      if (access.scope !== 'operator' || token === undefined) throw countRefusal(apiKeyMissing());
      const findStaffSession = getStaffSessionFinder();
      if (!findStaffSession) throw countRefusal(apiKeyMissing());
      return findStaffSession(token, access.allowsUnverifiedSession === true).then((session) =>
        admitRequest(request, reply, toApiKey(session), access),
      );
    }
    const key = keyring.findCached(secret);
    if (key !== undefined) return admitRequest(request, reply, key, access);
    return keyring.find(secret).then((foundKey) => admitRequest(request, reply, foundKey, access));
  };
}

type StaffAccess = Extract<Access, { scope: 'operator' }>;

const mayCallEndpoint = (caller: Pick<Caller, 'role'>, { role, fieldRoles = {} }: StaffAccess): boolean =>
  [role, ...Object.values(fieldRoles)].some((requiredRole) => hasRole(caller, requiredRole));

const listPermittedRoles = (requiredRole: RequiredRole) => [
  ...new Set([...listRoles(requiredRole), 'admin']),
];

/** Refuses a caller without the role. For endpoints that in some cases require another role than their `access` declares. */
export function requireRole(caller: Pick<Caller, 'role'>, requiredRole: RequiredRole): void {
  if (!hasRole(caller, requiredRole)) throw roleMissing(listPermittedRoles(requiredRole), caller.role);
}

/** Refuses a body with a field that the caller's role may not set. For endpoints whose `access` declares `fieldRoles`. */
export function requireFieldRoles(
  caller: Pick<Caller, 'role'>,
  { role, fieldRoles = {} }: Pick<StaffAccess, 'role' | 'fieldRoles'>,
  body: object,
): void {
  // The reason of a change requires no role.
  for (const field of Object.keys(body))
    if (field !== 'reason') requireRole(caller, fieldRoles[field] ?? role);
}

/** Names and values of response headers alternate. */
const VARY_BY_ORIGIN = ['vary', 'origin'];
const NO_HEADERS: string[] = [];

/** Creates the guard of the fast path, which excludes requests with an Origin. It returns undefined if the full guard must decide. */
export function createSyncApiKeyGuard(deps: {
  keyring: Keyring;
  keyUseRecorder: KeyUseRecorder;
  clock: Clock;
}): SyncGuard {
  const { keyring, keyUseRecorder, clock } = deps;
  return (requestHeaders, access) => {
    if (access === 'open' || access.customer || access.memberRole || access.scope === 'operator')
      return undefined;
    const secret = requestHeaders['x-api-key'];
    const key = typeof secret === 'string' && secret !== '' ? keyring.findCached(secret) : undefined;
    if (!key || key.requests_per_minute !== null || !hasScope(key, access.scope)) return undefined;
    if (key.expires_at && key.expires_at <= clock.now()) return undefined;
    if (key.backend && requestHeaders['x-client-ip'] !== undefined) return undefined;
    keyUseRecorder.record(key.id);
    const headers = key.allowed_origins.length > 0 ? VARY_BY_ORIGIN : NO_HEADERS;
    return { partnerId: key.partner_id, keyId: key.id, headers };
  };
}
