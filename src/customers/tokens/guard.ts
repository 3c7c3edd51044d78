import type { FastifyRequest } from 'fastify';
import type { Problem } from '#platform/problem.ts';
import type { CustomerMetrics } from '../metrics.ts';
import { tokenInvalid, tokenMissing, tokenPartnerMismatch } from '../problems.ts';
import type { HolderKind } from '../sessions/store.ts';
import type { AccessTokens, Claims } from './access-token.ts';
import type { EndedSessions } from './ended-sessions.ts';
import type { SigningKeys } from './signing-keys.ts';

/**
 * Checks the token of a request whose API key was accepted, and fills in whose it is. Returns nothing if it was decided
 * synchronously.
 */
export type TokenGuard = (request: FastifyRequest, kind: HolderKind) => Promise<void> | undefined;

export function tokenGuard(parts: {
  tokens: AccessTokens;
  keys: SigningKeys;
  ended: EndedSessions;
  metrics: CustomerMetrics;
}): TokenGuard {
  const { tokens, keys, ended, metrics } = parts;

  function admit(request: FastifyRequest, kind: HolderKind, claims: Claims): void {
    if (claims.kind !== kind) throw tokenInvalid('other_kind');
    if (claims.partnerId !== request.caller.partnerId) throw tokenPartnerMismatch('token');
    if (ended.has(claims.sessionId)) throw tokenInvalid('session_ended');
    if (kind === 'customer') request.caller.customerId = claims.holderId;
    else request.caller.memberId = claims.holderId;
    request.caller.sessionId = claims.sessionId;
  }

  async function admitLater(request: FastifyRequest, kind: HolderKind, text: string): Promise<void> {
    const claims = await tokens.read(text);
    await ended.whenCurrent();
    admit(request, kind, claims);
  }

  return (request, kind) => {
    const text = request.headers['x-token'];
    try {
      if (typeof text !== 'string' || text === '') throw tokenMissing();
      if (keys.current() && ended.current()) {
        const claims = tokens.recall(text);
        if (claims) return void admit(request, kind, claims);
      }
    } catch (refusal) {
      throw counted(refusal);
    }
    return admitLater(request, kind, text).catch((refusal: unknown) => {
      throw counted(refusal);
    });
  };

  function counted(refusal: unknown): unknown {
    const { kind } = refusal as Partial<Problem>;
    if (kind) metrics.tokenRefusals.inc({ code: kind.code });
    return refusal;
  }
}
