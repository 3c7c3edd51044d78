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
  /** The first one encrypts; all decrypt. */
  dataKeys: readonly DataKey[];
  /** For keyed hashes: lookups of encrypted values. */
  lookupKey: Buffer;
};

/** Public, so that the sandbox needs no configuration. Live mode refuses them. */
export const SANDBOX_SECRETS: Secrets = {
  dataKeys: [{ version: 1, key: Buffer.from('semana sandbox: not a secret ...') }],
  lookupKey: Buffer.from('semana sandbox: not secret also.'),
};

/** Tells whether a key is the one that was used before, and nothing else of it. */
export type KeyCheck = { setting: 'DATA_KEYS' | 'LOOKUP_KEY'; version: number; value: Buffer };

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION_BYTES = 4;

export type Sealed = { bytes: Buffer; version: number };

/** A value was encrypted with a key that is no longer in DATA_KEYS. The operator must put it back. */
export class KeyGone extends Error {
  constructor(version: number) {
    super(
      `Something is sealed with data key version ${version}, which DATA_KEYS does not hold. Put it back.`,
    );
  }
}

/** Encrypts personal data for the database, and makes keyed hashes for lookups. */
export class Vault {
  // As key objects: creating them from bytes each time would be most of the cost.
  readonly #keys: ReadonlyMap<number, KeyObject>;
  readonly #lookupKey: KeyObject;
  readonly version: number;
  /** The prefix of everything packed with that key. */
  readonly packedVersion: Buffer;

  constructor({ dataKeys, lookupKey }: Secrets) {
    this.#keys = new Map(dataKeys.map(({ version, key }) => [version, createSecretKey(key)]));
    this.#lookupKey = createSecretKey(lookupKey);
    this.version = dataKeys[0]!.version;
    this.packedVersion = Buffer.alloc(VERSION_BYTES);
    this.packedVersion.writeUInt32BE(this.version);
  }

  /** AES-256-GCM. `owner` is authenticated: a ciphertext that is moved to another row does not decrypt. */
  seal(text: string, owner: string): Sealed {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key(this.version), nonce);
    cipher.setAAD(Buffer.from(owner));
    const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return { bytes, version: this.version };
  }

  open({ bytes, version }: Sealed, owner: string): string {
    const decipher = createDecipheriv('aes-256-gcm', this.#key(version), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(owner));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return (
      decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    );
  }

  /** The ciphertext prefixed with its key version: one column holds all that is needed to decrypt. */
  pack(text: string, owner: string): Buffer {
    return Buffer.concat([this.packedVersion, this.seal(text, owner).bytes]);
  }

  unpack(packed: Buffer, owner: string): string {
    return this.open({ bytes: packed.subarray(VERSION_BYTES), version: packed.readUInt32BE() }, owner);
  }

  /** A deterministic keyed hash, useless without LOOKUP_KEY. `kind` separates uses. */
  hash(kind: string, text: string): Buffer {
    return createHmac('sha256', this.#lookupKey).update(`${kind}\0${text}`).digest();
  }

  /** Throws when this key version is not available. */
  mustHold(version: number): void {
    this.#key(version);
  }

  /** Of every key. LOOKUP_KEY has no versions: 0. */
  checks(): KeyCheck[] {
    const checkValue = (key: KeyObject) =>
      Buffer.from(hkdfSync('sha256', key, '', 'semana key check', KEY_BYTES));
    return [
      ...Array.from(
        this.#keys,
        ([version, key]): KeyCheck => ({ setting: 'DATA_KEYS', version, value: checkValue(key) }),
      ),
      { setting: 'LOOKUP_KEY', version: 0, value: checkValue(this.#lookupKey) },
    ];
  }

  #key(version: number): KeyObject {
    const key = this.#keys.get(version);
    if (!key) throw new KeyGone(version);
    return key;
  }
}

/** '2:BASE64,1:BASE64', or undefined when it is not that. */
export function readDataKeys(text: string): DataKey[] | undefined {
  const keys = text.split(',').map((part) => {
    const [, version, encoded] = /^\s*([1-9]\d{0,8}):([\w+/-]+={0,2})\s*$/.exec(part) ?? [];
    const key = encoded && readKey(encoded);
    return version && key ? { version: Number(version), key } : undefined;
  });
  const versions = new Set(keys.map((key) => key?.version));
  return versions.has(undefined) || versions.size < keys.length ? undefined : (keys as DataKey[]);
}

export function readKey(encoded: string): Buffer | undefined {
  const key = Buffer.from(encoded, 'base64');
  return key.length === KEY_BYTES ? key : undefined;
}
