import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '#platform/clock.ts';
import { type Access, type FieldRoles, ROLES, type Role } from '#platform/http/access.ts';
import type { Caller } from '#platform/http/endpoint.ts';
import type { SyncGuard } from '#platform/http/fast-path.ts';
import type { Metrics } from '#platform/observability/metrics.ts';
import type { Problem } from '#platform/problem.ts';
import type { Service } from '#platform/service.ts';
import type { ApiKey, Scope } from './api-key.ts';
import { clientAddress } from './client-address.ts';
import { allowOrigin } from './cors.ts';
import type { KeyUse } from './key-use.ts';
import type { Keyring } from './keyring.ts';
import { apiKeyInvalid, apiKeyMissing, rateLimited, roleMissing, scopeMissing } from './problems.ts';
import type { Allowance, RateLimiter } from './rate-limiter.ts';
import { keyOfSession, type staffSessions } from './staff-sessions.ts';

type AskedScope = Exclude<Access, 'open'>['scope'];

/** Which scopes will do. */
const scopesFor = (asked: AskedScope): readonly Scope[] => {
  if (asked === 'partner') return ['public', 'wallet', 'merchant'];
  return asked === 'merchant' ? ['merchant', 'till'] : [asked];
};

const hasScope = ({ scopes }: ApiKey, asked: AskedScope): boolean =>
  scopesFor(asked).some((scope) => scopes.includes(scope));

type FindSession = typeof staffSessions extends Service<infer F> ? F : never;

type Guard = (request: FastifyRequest, reply: FastifyReply, access: Access) => Promise<void> | undefined;

/** Admits a request whose API key has the scope the endpoint asks for. Usually synchronous, from memory. */
export function apiKeyGuard(parts: {
  keyring: Keyring;
  limiter: RateLimiter;
  keyUse: KeyUse;
  clock: Clock;
  metrics: Metrics;
  /** Undefined: nobody has a session. */
  findSession: () => FindSession | undefined;
}): Guard {
  const { keyring, limiter, keyUse, clock, metrics, findSession } = parts;

  const refuse = (problem: Problem): Problem => {
    metrics.keyRefusals.inc({ code: problem.kind.code });
    return problem;
  };

  function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    key: ApiKey | null,
    access: Exclude<Access, 'open'>,
  ) {
    const { scope } = access;
    if (!key) throw refuse(apiKeyInvalid('unknown'));
    if (key.expiresAt && key.expiresAt <= clock.now()) throw refuse(apiKeyInvalid('expired'));
    const address = clientAddress(request, key);
    request.caller = {
      partnerId: key.partnerId,
      keyId: key.id,
      scopes: key.scopes,
      address,
      customerId: '',
      sessionId: '',
      merchantId: key.merchantId ?? 0,
      memberId: '',
      member: null,
      returnOrigins: key.returnOrigins,
      personId: key.personId ?? '',
      role: key.role ?? '',
    };
    allowOrigin(request, reply, key);
    if (!hasScope(key, scope)) throw refuse(scopeMissing(scopesFor(scope), key.scopes));
    if (access.scope === 'operator' && !mayAct(key.role!, access.role))
      throw refuse(roleMissing(access.role, key.role!, access.fields));
    keyUse.note(key.id);
    if (key.requestsPerMinute === null) return undefined;

    const limit = key.requestsPerMinute;
    const count = (allowance: Allowance) => {
      reply.header('ratelimit-policy', `"minute";q=${limit};w=60`);
      reply.header('ratelimit', `"minute";r=${allowance.remaining};t=${allowance.secondsLeft}`);
      if (allowance.granted) return;
      throw refuse(
        rateLimited({
          en: `This key may make ${limit} requests a minute. The next minute begins in ${allowance.secondsLeft} s.`,
          pt: `Esta chave pode fazer ${limit} requisições por minuto. O próximo minuto começa em ${allowance.secondsLeft} s.`,
          headers: { 'retry-after': String(allowance.secondsLeft) },
        }),
      );
    };
    const allowance = limiter.take(key.id, limit);
    return allowance instanceof Promise ? allowance.then(count) : count(allowance);
  }

  return (request, reply, access) => {
    if (access === 'open') return undefined;
    const secret = request.headers['x-api-key'];
    if (typeof secret !== 'string' || secret === '') {
      const [, token] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
      const find = access.scope === 'operator' && token !== undefined && findSession();
      if (!find) throw refuse(apiKeyMissing());
      return find(token, access.isBegunEnough === true).then((session) =>
        admit(request, reply, keyOfSession(session), access),
      );
    }
    const key = keyring.peek(secret);
    if (key !== undefined) return admit(request, reply, key, access) ?? undefined;
    return keyring.find(secret).then((found) => admit(request, reply, found, access));
  };
}

const mayAct = (role: Role, least: Role) => ROLES.indexOf(role) >= ROLES.indexOf(least);

/** For endpoints of which a part needs a higher role than their `access` declares. */
export function requireRole(caller: Pick<Caller, 'role'>, least: Role): void {
  if (!hasRole(caller, least)) throw roleMissing(least, caller.role);
}

/** For endpoints whose `access` declares `fields`: refuses those that are sent and take more than the caller has. */
export function requireFieldRoles(caller: Pick<Caller, 'role'>, fields: FieldRoles, body: object): void {
  for (const [field, least] of Object.entries(fields))
    if (field in body && !hasRole(caller, least)) throw roleMissing(least, caller.role);
}

export const hasRole = ({ role }: Pick<Caller, 'role'>, least: Role): boolean =>
  role !== '' && mayAct(role, least);

const VARY_BY_ORIGIN = ['vary', 'origin'];
const NOTHING_TO_ADD: string[] = [];

/**
 * The same, synchronously, for requests without an origin and keys without a rate limit. Undefined does not mean refused:
 * the request then goes through the full guard.
 */
export function apiKeyGuardSync(parts: { keyring: Keyring; keyUse: KeyUse; clock: Clock }): SyncGuard {
  const { keyring, keyUse, clock } = parts;
  return (headers, access) => {
    if (access === 'open' || access.customer || access.member || access.scope === 'operator')
      return undefined;
    const secret = headers['x-api-key'];
    const key = typeof secret === 'string' && secret !== '' ? keyring.peek(secret) : undefined;
    if (!key || key.requestsPerMinute !== null || !hasScope(key, access.scope)) return undefined;
    if (key.expiresAt && key.expiresAt <= clock.now()) return undefined;
    if (key.backend && headers['x-client-ip'] !== undefined) return undefined;
    keyUse.note(key.id);
    const extra = key.allowedOrigins.length > 0 ? VARY_BY_ORIGIN : NOTHING_TO_ADD;
    return { partnerId: key.partnerId, keyId: key.id, headers: extra };
  };
}
