import { argon2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import { getEnvironmentData } from 'node:worker_threads';

/** OWASP's recommended minimum. If the cost is raised, old hashes are renewed at the next login. */
const COST = { memoryKib: 19_456, passes: 2, lanes: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;

/** The key under which tests set a lower cost for their process and its threads. No setting can lower the cost. */
export const TEST_COST_KEY = 'semana: password cost in tests';
const getCurrentCost = (): Cost => (getEnvironmentData(TEST_COST_KEY) as Cost | undefined) ?? COST;

type Cost = typeof COST;
type DecodedHash = { cost: Cost; salt: Buffer; tag: Buffer };

/** Hashes a password with Argon2id, in the usual form `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. Takes about 50 ms of one core. */
export function hashPassword(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  const cost = getCurrentCost();
  return encodeHash({ cost, salt, tag: deriveTag(password, salt, cost) });
}

export function verifyPassword(password: string, encodedHash: string): boolean {
  const { cost, salt, tag } = decodeHash(encodedHash);
  return timingSafeEqual(deriveTag(password, salt, cost), tag);
}

export function hasOutdatedCost(encodedHash: string): boolean {
  const { cost } = decodeHash(encodedHash);
  const requiredCost = getCurrentCost();
  return (Object.keys(COST) as Array<keyof Cost>).some((name) => cost[name] !== requiredCost[name]);
}

const DUMMY_SALT_AND_TAG = { salt: randomBytes(SALT_BYTES), tag: randomBytes(TAG_BYTES) };

/** Creates a hash for unknown users, which takes as long to verify as a real hash. */
export const createDummyHash = (): string => encodeHash({ cost: getCurrentCost(), ...DUMMY_SALT_AND_TAG });

/** Normalizes the password first, so that é as one character equals e with a combining accent. */
function deriveTag(password: string, salt: Buffer, { memoryKib, passes, lanes }: Cost): Buffer {
  return argon2Sync('argon2id', {
    message: password.normalize('NFKC'),
    nonce: salt,
    memory: memoryKib,
    passes,
    parallelism: lanes,
    tagLength: TAG_BYTES,
  });
}

function encodeHash({ cost, salt, tag }: DecodedHash): string {
  const { memoryKib, passes, lanes } = cost;
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${lanes}$${toUnpaddedBase64(salt)}$${toUnpaddedBase64(tag)}`;
}

const toUnpaddedBase64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

function decodeHash(encodedHash: string): DecodedHash {
  const [, memoryKib, passes, lanes, salt, tag] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(encodedHash) ?? [];
  if (!memoryKib || !passes || !lanes || !salt || !tag)
    throw new Error('A stored password hash is not an Argon2id hash.');
  return {
    cost: { memoryKib: Number(memoryKib), passes: Number(passes), lanes: Number(lanes) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}
