import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Encrypted cookies (AES-256-GCM); the name and the expiry are authenticated. */
export class Cookies {
  readonly #key: Buffer;
  readonly #attributes: string;
  readonly #prefix: string;

  constructor(secret: Buffer, siteUrl: string, sameSite: 'Lax' | 'Strict' = 'Lax') {
    const isHttps = siteUrl.startsWith('https:');
    this.#key = secret;
    // Browsers accept __Host- only over https, for the whole host, and not from a subdomain.
    this.#prefix = isHttps ? '__Host-' : '';
    this.#attributes = `Path=/; HttpOnly; SameSite=${sameSite}${isHttps ? '; Secure' : ''}`;
  }

  /** The value of the set-cookie header. */
  set(name: string, value: unknown, seconds: number, now = Date.now()): string {
    return `${this.#prefix}${name}=${this.seal(name, value, seconds, now)}; Max-Age=${seconds}; ${this.#attributes}`;
  }

  /** The same for an address: what nobody else can read or make up. */
  seal(name: string, value: unknown, seconds: number, now = Date.now()): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv);
    cipher.setAAD(Buffer.from(name));
    const text = JSON.stringify({ value, until: now + seconds * 1000 });
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return sealed.toString('base64url');
  }

  clear(name: string): string {
    return `${this.#prefix}${name}=; Max-Age=0; ${this.#attributes}`;
  }

  /** Undefined when it is missing, expired or not made by this server. */
  read(header: string | undefined, name: string, now = Date.now()): unknown {
    const start = `${this.#prefix}${name}=`;
    const found = header?.split('; ').find((cookie) => cookie.startsWith(start));
    return found && this.unseal(name, found.slice(start.length), now);
  }

  /** Undefined when it is expired or not made by this server. */
  unseal(name: string, text: string, now = Date.now()): unknown {
    const sealed = Buffer.from(text, 'base64url');
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(0, 12));
      decipher.setAAD(Buffer.from(name)).setAuthTag(sealed.subarray(-16));
      const text = Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString();
      const { value, until } = JSON.parse(text) as { value: unknown; until: number };
      return until > now ? value : undefined;
    } catch {
      return undefined;
    }
  }
}
