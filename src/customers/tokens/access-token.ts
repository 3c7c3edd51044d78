import { errors, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '#core/duration.ts';
import type { Clock } from '#platform/clock.ts';
import { tokenExpired, tokenInvalid } from '../problems.ts';
import type { HolderKind, SessionClaims } from '../sessions/store.ts';
import { ALGORITHM, type SigningKeys } from './signing-keys.ts';

export const TOKEN_LIFE_MS = 15 * MINUTE_MS;
/** About 15 MB; a token lives 15 minutes, so evicting the oldest rarely matters. */
const MOST_REMEMBERED = 20_000;

/** The claims of our token. */
export type Claims = SessionClaims & { expiresAtMs: number; kid: string };

class UnknownKey extends Error {}

type TokenParts = {
  keys: SigningKeys;
  clock: Clock;
  issuer: () => string;
  /** The issuer that tokens must have. null: an address that is not configured differs between nodes. */
  expectedIssuer: string | null;
};

/** Issues and verifies tokens: JWTs signed with Ed25519. */
export class AccessTokens {
  readonly #parts: TokenParts;
  /** Verified tokens, by their text. Expiry and key are checked every time. */
  readonly #remembered = new LRUCache<string, Claims>({ max: MOST_REMEMBERED });

  constructor(parts: TokenParts) {
    this.#parts = parts;
  }

  async issue(of: SessionClaims): Promise<{ token: string; expiresAt: Date }> {
    const { keys, clock, issuer } = this.#parts;
    if (!keys.current()) await keys.whenCurrent();
    const { kid, privateKey } = keys.signer();
    const issuedAt = Math.floor(clock.now().getTime() / 1000);
    const expiresAt = issuedAt + TOKEN_LIFE_MS / 1000;
    const token = await new SignJWT({ sid: of.sessionId, kind: of.kind })
      .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT' })
      .setIssuer(issuer())
      .setAudience(of.partnerId)
      .setSubject(of.holderId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(privateKey);
    return { token, expiresAt: new Date(expiresAt * 1000) };
  }

  /** The claims of a token that was verified before, or undefined: then `read` it. Call it only while the keys are current. */
  recall(text: string): Claims | undefined {
    const claims = this.#remembered.get(text);
    if (claims) this.#mustCount(claims);
    return claims;
  }

  async read(text: string): Promise<Claims> {
    await this.#parts.keys.whenCurrent();
    const known = this.recall(text);
    if (known) return known;
    const claims = await this.#verify(text);
    this.#remembered.set(text, claims);
    return claims;
  }

  #mustCount({ kid, expiresAtMs }: Claims): void {
    const { keys, clock } = this.#parts;
    const nowMs = clock.now().getTime();
    if (nowMs >= expiresAtMs) throw tokenExpired('token');
    if (!keys.accepts(kid, nowMs)) throw tokenInvalid('key_retired');
  }

  async #verify(text: string): Promise<Claims> {
    const { keys, clock, expectedIssuer } = this.#parts;
    try {
      const { payload, protectedHeader } = await jwtVerify(
        text,
        ({ kid }) => {
          const key = keys.verifier(kid);
          if (!key) throw new UnknownKey();
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
        kind: payload.kind as HolderKind,
        holderId: String(payload.sub),
        sessionId: String(payload.sid),
        partnerId: String(payload.aud),
        expiresAtMs: payload.exp! * 1000,
        kid: String(protectedHeader.kid),
      };
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw tokenExpired('token');
      if (error instanceof errors.JOSEError || error instanceof UnknownKey) throw tokenInvalid('not_ours');
      throw error;
    }
  }
}
