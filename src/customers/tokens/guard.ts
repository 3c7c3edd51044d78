import type { FastifyRequest } from 'fastify';
import type { Problem } from '#platform/problem.ts';
import type { CustomerMetrics } from '../metrics.ts';
import { tokenInvalid, tokenMissing, tokenPartnerMismatch } from '../problems.ts';
import type { AccessTokens, Claims, PrincipalType } from './access-token.ts';
import type { EndedSessions } from './ended-sessions.ts';
import type { SigningKeys } from './signing-keys.ts';

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

  function admit(request: FastifyRequest, type: PrincipalType, claims: Claims): void {
    if (claims.principalType !== type) throw tokenInvalid('other_kind');
    if (claims.partnerId !== request.caller.partnerId) throw tokenPartnerMismatch('token');
    if (endedSessions.has(claims.sessionId)) throw tokenInvalid('session_ended');
    if (type === 'customer') request.caller.customerId = claims.principalId;
    else request.caller.memberId = claims.principalId;
    request.caller.sessionId = claims.sessionId;
  }

  async function verifyAndAdmit(request: FastifyRequest, type: PrincipalType, text: string): Promise<void> {
    const claims = await tokens.verify(text);
    await endedSessions.waitUntilCurrent();
    admit(request, type, claims);
  }

  return (request, type) => {
    const text = request.headers['x-token'];
    try {
      if (typeof text !== 'string' || text === '') throw tokenMissing();
      if (/^bearer\b/i.test(text)) throw tokenInvalid('bearer');
      if (signingKeys.isCurrent() && endedSessions.isCurrent()) {
        const claims = tokens.getCached(text);
        if (claims) return void admit(request, type, claims);
      }
    } catch (refusal) {
      throw countRefusal(refusal);
    }
    return verifyAndAdmit(request, type, text).catch((refusal: unknown) => {
      throw countRefusal(refusal);
    });
  };

  function countRefusal(refusal: unknown): unknown {
    const { kind } = refusal as Partial<Problem>;
    if (kind) metrics.tokenRefusals.inc({ code: kind.code });
    return refusal;
  }
}
