import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Values that only this server can read or make: AES-256-GCM, with the name and an end. */
export class Cookies {
  readonly #key: Buffer;
  readonly #attributes: string;
  readonly #prefix: string;

  constructor(secret: Buffer, siteUrl: string) {
    const isHttps = siteUrl.startsWith('https:');
    this.#key = secret;
    // A browser takes __Host- only over https, only for the whole host, and from no subdomain.
    this.#prefix = isHttps ? '__Host-' : '';
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`;
  }

  /** The header that sets it. */
  set(name: string, value: unknown, seconds: number, now = Date.now()): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv);
    cipher.setAAD(Buffer.from(name));
    const text = JSON.stringify({ value, until: now + seconds * 1000 });
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${this.#prefix}${name}=${sealed.toString('base64url')}; Max-Age=${seconds}; ${this.#attributes}`;
  }

  clear(name: string): string {
    return `${this.#prefix}${name}=; Max-Age=0; ${this.#attributes}`;
  }

  /** Undefined when there is none, it has ended, or somebody else made it. */
  read(header: string | undefined, name: string, now = Date.now()): unknown {
    const start = `${this.#prefix}${name}=`;
    const found = header?.split('; ').find((cookie) => cookie.startsWith(start));
    if (!found) return undefined;
    const sealed = Buffer.from(found.slice(start.length), 'base64url');
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
