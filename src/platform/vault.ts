import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

export type DataKey = { version: number; key: Buffer };

export type Secrets = {
  /** The first key encrypts; all keys decrypt. */
  dataKeys: readonly DataKey[];
  /** The key of the keyed hashes that make encrypted values searchable. */
  lookupKey: Buffer;
};

/** Keys that anyone can read, so that the sandbox needs no configuration. Live mode rejects them. */
export const SANDBOX_SECRETS: Secrets = {
  dataKeys: [{ version: 1, key: Buffer.from('semana sandbox: not a secret ...') }],
  lookupKey: Buffer.from('semana sandbox: not secret also.'),
};

/** A stored value that detects a changed key without revealing the key. */
export type KeyCheck = { setting: 'DATA_KEYS' | 'LOOKUP_KEY'; version: number; value: Buffer };

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION_BYTES = 4;

export type Ciphertext = { bytes: Buffer; version: number };

/** Thrown if a value was encrypted with a key that is no longer in DATA_KEYS. The operator must add the key again. */
export class MissingKeyError extends Error {
  constructor(version: number) {
    super(
      `Some data is encrypted with data key version ${version}, which DATA_KEYS does not contain. Add it again.`,
    );
  }
}

/** Encrypts personal data for the database and computes keyed hashes for lookups. */
export class Vault {
  // Key objects are created in advance, because creating one costs more than an encryption.
  readonly #keys: ReadonlyMap<number, KeyObject>;
  readonly #lookupKey: KeyObject;
  /** The version of the key that encrypts. */
  readonly version: number;
  /** The prefix of all values packed with the current key. */
  readonly versionPrefix: Buffer;

  constructor({ dataKeys, lookupKey }: Secrets) {
    this.#keys = new Map(dataKeys.map(({ version, key }) => [version, createSecretKey(key)]));
    this.#lookupKey = createSecretKey(lookupKey);
    this.version = dataKeys[0]!.version;
    this.versionPrefix = Buffer.alloc(VERSION_BYTES);
    this.versionPrefix.writeUInt32BE(this.version);
  }

  /** Encrypts with AES-256-GCM. `owner` is authenticated: a ciphertext that is moved to another row cannot be decrypted. */
  encrypt(text: string, owner: string): Ciphertext {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.requireKey(this.version), nonce);
    cipher.setAAD(Buffer.from(owner));
    const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return { bytes, version: this.version };
  }

  decrypt({ bytes, version }: Ciphertext, owner: string): string {
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const options = { authTagLength: TAG_BYTES };
    const decipher = createDecipheriv('aes-256-gcm', this.requireKey(version), nonce, options);
    decipher.setAAD(Buffer.from(owner));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return (
      decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    );
  }

  /** Returns the ciphertext prefixed with its key version, so that one column holds everything required for decryption. */
  encryptPacked(text: string, owner: string): Buffer {
    return Buffer.concat([this.versionPrefix, this.encrypt(text, owner).bytes]);
  }

  decryptPacked(packed: Buffer, owner: string): string {
    return this.decrypt({ bytes: packed.subarray(VERSION_BYTES), version: packed.readUInt32BE() }, owner);
  }

  /** Computes a deterministic keyed hash, useless without LOOKUP_KEY. `kind` separates different uses. */
  hash(kind: string, text: string): Buffer {
    return createHmac('sha256', this.#lookupKey).update(`${kind}\0${text}`).digest();
  }

  get versions(): number[] {
    return [...this.#keys.keys()];
  }

  /** Computes the check values of all keys. LOOKUP_KEY has no versions; its version is 0. */
  computeKeyChecks(): KeyCheck[] {
    const computeCheckValue = (key: KeyObject) =>
      Buffer.from(hkdfSync('sha256', key, '', 'semana key check', KEY_BYTES));
    const keyChecks = [...this.#keys].map(
      ([version, key]) => ({ setting: 'DATA_KEYS', version, value: computeCheckValue(key) }) as const,
    );
    return [...keyChecks, { setting: 'LOOKUP_KEY', version: 0, value: computeCheckValue(this.#lookupKey) }];
  }

  requireKey(version: number): KeyObject {
    const key = this.#keys.get(version);
    if (!key) throw new MissingKeyError(version);
    return key;
  }
}

/** Parses '2:BASE64,1:BASE64'. Returns undefined if the text is invalid. */
export function parseDataKeys(text: string): DataKey[] | undefined {
  const dataKeys = text.split(',').map((part) => {
    const [, version, encodedKey] = /^\s*([1-9]\d{0,8}):([\w+/-]+={0,2})\s*$/.exec(part) ?? [];
    const key = encodedKey && parseKey(encodedKey);
    return version && key ? { version: Number(version), key } : undefined;
  });
  const versions = new Set(dataKeys.map((dataKey) => dataKey?.version));
  return versions.has(undefined) || versions.size < dataKeys.length ? undefined : (dataKeys as DataKey[]);
}

export function parseKey(encodedKey: string): Buffer | undefined {
  const key = Buffer.from(encodedKey, 'base64');
  return key.length === KEY_BYTES ? key : undefined;
}
