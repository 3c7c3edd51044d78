import type { FastifyRequest } from 'fastify';
import type { Problem } from '#platform/problem.ts';
import type { CustomerMetrics } from '../metrics.ts';
import { tokenInvalid, tokenMissing, tokenPartnerMismatch } from '../problems.ts';
import type { EndedSessions } from '../sessions/ended-sessions.ts';
import type { AccessTokens, Claims } from './access-token.ts';
import type { SigningKeys } from './signing-keys.ts';

/** Checks the token of a request whose API key was accepted. Returns nothing if it was decided synchronously. */
export type TokenGuard = (request: FastifyRequest) => Promise<void> | undefined;

export function tokenGuard(parts: {
  tokens: AccessTokens;
  keys: SigningKeys;
  ended: EndedSessions;
  metrics: CustomerMetrics;
}): TokenGuard {
  const { tokens, keys, ended, metrics } = parts;

  function admit(request: FastifyRequest, claims: Claims): void {
    if (claims.partnerId !== request.caller.partnerId) {
      throw tokenPartnerMismatch('token');
    }
    if (ended.has(claims.sessionId)) {
      throw tokenInvalid('session_ended');
    }
    request.caller.customerId = claims.customerId;
    request.caller.sessionId = claims.sessionId;
  }

  async function admitLater(request: FastifyRequest, text: string): Promise<void> {
    const claims = await tokens.read(text);
    await ended.whenCurrent();
    admit(request, claims);
  }

  return (request) => {
    const text = request.headers['x-token'];
    try {
      if (typeof text !== 'string' || text === '') {
        throw tokenMissing();
      }
      if (keys.current() && ended.current()) {
        const claims = tokens.recall(text);
        if (claims) return void admit(request, claims);
      }
    } catch (refusal) {
      throw counted(refusal);
    }
    return admitLater(request, text).catch((refusal: unknown) => {
      throw counted(refusal);
    });
  };

  function counted(refusal: unknown): unknown {
    const { kind } = refusal as Partial<Problem>;
    if (kind) metrics.tokenRefusals.inc({ code: kind.code });
    return refusal;
  }
}
