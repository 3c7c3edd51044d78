import type { FastifyRequest } from 'fastify';
import { errors, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Clock } from '#platform/clock.ts';
import type { Problem } from '#platform/problem.ts';
import type { CustomerMetrics } from '../metrics.ts';
import { tokenExpired, tokenInvalid, tokenMissing, tokenPartnerMismatch } from '../problems.ts';
import type { EndedSessions } from './ended-sessions.ts';
import { ALGORITHM, type SigningKeys, TOKEN_TTL_MS } from './signing-keys.ts';

/** The kind of principal a token belongs to. Endpoints for customers refuse tokens of members, and vice versa. */
export type PrincipalType = 'customer' | 'member';

/** The principal of a session, and the partner it was opened through. */
export type SessionClaims = {
  principalType: PrincipalType;
  principalId: string;
  sessionId: string;
  partnerId: string;
};

/** Takes about 15 MB. A token is valid for 15 minutes, so evicting the oldest rarely matters. */
const MAX_CACHED_TOKENS = 20_000;

export type Claims = SessionClaims & { expiresAtMs: number; kid: string };

class UnknownKeyError extends Error {}

type AccessTokenDeps = {
  signingKeys: SigningKeys;
  clock: Clock;
  getIssuer: () => string;
  /** The required issuer. null disables the check: without a configured public URL the issuer differs between nodes. */
  expectedIssuer: string | null;
};

/** Issues and verifies access tokens, which are JWTs signed with Ed25519. */
export class AccessTokens {
  readonly #deps: AccessTokenDeps;
  /** Claims of verified tokens, by token. Expiry and key are checked on every use. */
  readonly #cache = new LRUCache<string, Claims>({ max: MAX_CACHED_TOKENS });

  constructor(deps: AccessTokenDeps) {
    this.#deps = deps;
  }

  async issue(session: SessionClaims): Promise<{ token: string; expiresAt: Date; ttlMs: number }> {
    const { signingKeys, clock, getIssuer } = this.#deps;
    if (!signingKeys.isCurrent()) await signingKeys.waitUntilCurrent();
    const { kid, privateKey } = signingKeys.findSigningKey();
    const issuedAtSeconds = Math.floor(clock.now().getTime() / 1000);
    const expiresAtSeconds = issuedAtSeconds + TOKEN_TTL_MS / 1000;
    const token = await new SignJWT({ sid: session.sessionId, kind: session.principalType })
      .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT' })
      .setIssuer(getIssuer())
      .setAudience(session.partnerId)
      .setSubject(session.principalId)
      .setIssuedAt(issuedAtSeconds)
      .setExpirationTime(expiresAtSeconds)
      .sign(privateKey);
    return { token, expiresAt: new Date(expiresAtSeconds * 1000), ttlMs: TOKEN_TTL_MS };
  }

  /** Returns the claims of a token that was verified before, else undefined. Throws if it is no longer valid. Call only while the keys are current. */
  getCached(text: string): Claims | undefined {
    const claims = this.#cache.get(text);
    if (claims) this.#assertValid(claims);
    return claims;
  }

  async verify(text: string): Promise<Claims> {
    await this.#deps.signingKeys.waitUntilCurrent();
    const cachedClaims = this.getCached(text);
    if (cachedClaims) return cachedClaims;
    const claims = await this.#verifySignature(text);
    this.#cache.set(text, claims);
    return claims;
  }

  #assertValid({ kid, expiresAtMs }: Claims): void {
    const { signingKeys, clock } = this.#deps;
    const nowMs = clock.now().getTime();
    if (nowMs >= expiresAtMs) throw tokenExpired('token');
    if (!signingKeys.accepts(kid, nowMs)) throw tokenInvalid('key_retired');
  }

  async #verifySignature(text: string): Promise<Claims> {
    const { signingKeys, clock, expectedIssuer } = this.#deps;
    try {
      const { payload, protectedHeader } = await jwtVerify(
        text,
        ({ kid }) => {
          const key = signingKeys.findPublicKey(kid);
          if (!key) throw new UnknownKeyError();
          return key;
        },
        {
          algorithms: [ALGORITHM],
          typ: 'JWT',
          requiredClaims: ['sub', 'aud', 'sid', 'kind', 'exp', 'iat', 'iss'],
          currentDate: clock.now(),
          ...(expectedIssuer !== null && { issuer: expectedIssuer }),
        },
      );
      return {
        principalType: payload.kind as PrincipalType,
        principalId: String(payload.sub),
        sessionId: String(payload.sid),
        partnerId: String(payload.aud),
        expiresAtMs: payload.exp! * 1000,
        kid: String(protectedHeader.kid),
      };
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw tokenExpired('token');
      if (error instanceof errors.JOSEError || error instanceof UnknownKeyError)
        throw tokenInvalid('not_issued_here');
      throw error;
    }
  }
}

/**
 * Checks the token of a request whose API key was accepted, and sets the principal in `request.caller`. Returns undefined if the
 * check was synchronous.
 */
export type TokenGuard = (request: FastifyRequest, type: PrincipalType) => Promise<void> | undefined;

export function createTokenGuard(deps: {
  tokens: AccessTokens;
  signingKeys: SigningKeys;
  endedSessions: EndedSessions;
  metrics: CustomerMetrics;
}): TokenGuard {
  const { tokens, signingKeys, endedSessions, metrics } = deps;

  function setPrincipal(request: FastifyRequest, type: PrincipalType, claims: Claims): void {
    if (claims.principalType !== type) throw tokenInvalid('wrong_kind');
    if (claims.partnerId !== request.caller.partnerId) throw tokenPartnerMismatch('token');
    if (endedSessions.has(claims.sessionId)) throw tokenInvalid('session_ended');
    if (type === 'customer') request.caller.customerId = claims.principalId;
    else request.caller.memberId = claims.principalId;
    request.caller.sessionId = claims.sessionId;
  }

  async function checkToken(request: FastifyRequest, type: PrincipalType, text: string): Promise<void> {
    const claims = await tokens.verify(text);
    await endedSessions.waitUntilCurrent();
    setPrincipal(request, type, claims);
  }

  return (request, type) => {
    const token = request.headers['x-token'];
    try {
      if (typeof token !== 'string' || token === '') throw tokenMissing();
      if (/^bearer\b/i.test(token)) throw tokenInvalid('bearer');
      if (signingKeys.isCurrent() && endedSessions.isCurrent()) {
        const claims = tokens.getCached(token);
        if (claims) {
          setPrincipal(request, type, claims);
          return undefined;
        }
      }
    } catch (refusal) {
      countAndThrow(refusal);
    }
    return checkToken(request, type, token).catch(countAndThrow);
  };

  function countAndThrow(refusal: unknown): never {
    const { kind } = refusal as Partial<Problem>;
    if (kind) metrics.tokenRefusals.inc({ code: kind.code });
    throw refusal;
  }
}
