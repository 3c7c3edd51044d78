import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** The length of a nonce of AES-GCM, which starts an encrypted value. */
const IV_BYTES = 12;
/** The length of the authentication tag, which ends an encrypted value. */
const AUTH_TAG_BYTES = 16;

/** Encrypted cookies (AES-256-GCM); the name and the expiry are authenticated. */
export class Cookies {
  /** Created in advance, because creating a key object costs more than a decryption. */
  readonly #key: KeyObject;
  readonly #attributes: string;
  readonly #prefix: string;

  constructor(secret: Buffer, siteUrl: string, sameSite: 'Lax' | 'Strict' = 'Lax') {
    const isHttps = siteUrl.startsWith('https:');
    this.#key = createSecretKey(secret);
    // A cookie with this prefix needs https and can have no Domain attribute, so that no subdomain can set it.
    this.#prefix = isHttps ? '__Host-' : '';
    this.#attributes = `Path=/; HttpOnly; SameSite=${sameSite}${isHttps ? '; Secure' : ''}`;
  }

  /** Builds the value of the set-cookie header. */
  buildHeader(name: string, value: unknown, lifetimeSeconds: number, now = Date.now()): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv);
    cipher.setAAD(Buffer.from(name));
    const plaintext = JSON.stringify({ value, until: now + lifetimeSeconds * 1000 });
    const encrypted = Buffer.concat([
      iv,
      cipher.update(plaintext, 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    return `${this.#prefix}${name}=${encrypted.toString('base64url')}; Max-Age=${lifetimeSeconds}; ${this.#attributes}`;
  }

  set(reply: FastifyReply, name: string, value: unknown, lifetimeSeconds: number): void {
    reply.header('set-cookie', this.buildHeader(name, value, lifetimeSeconds));
  }

  clear(reply: FastifyReply, name: string): void {
    reply.header('set-cookie', `${this.#prefix}${name}=; Max-Age=0; ${this.#attributes}`);
  }

  /** Returns undefined if the cookie is missing, expired or not from this server. */
  read(header: string | undefined, name: string, now = Date.now()): unknown {
    const cookiePrefix = `${this.#prefix}${name}=`;
    const cookie = header?.split('; ').find((part) => part.startsWith(cookiePrefix));
    if (cookie === undefined) return undefined;
    const encrypted = Buffer.from(cookie.slice(cookiePrefix.length), 'base64url');
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, encrypted.subarray(0, IV_BYTES));
      decipher.setAAD(Buffer.from(name)).setAuthTag(encrypted.subarray(-AUTH_TAG_BYTES));
      const ciphertext = encrypted.subarray(IV_BYTES, -AUTH_TAG_BYTES);
      const plaintext = Buffer.concat([decipher.update(ciphertext), decipher.final()]);
      const { value, until } = JSON.parse(plaintext.toString()) as { value: unknown; until: number };
      return until > now ? value : undefined;
    } catch {
      return undefined;
    }
  }
}
