import { argon2Sync, randomBytes, timingSafeEqual } from 'node:crypto';

/** OWASP's minimum. When it is raised, old hashes are renewed at the next login. */
const COST = { memoryKib: 19_456, passes: 2, lanes: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;

type Cost = typeof COST;
type Encoded = { cost: Cost; salt: Buffer; tag: Buffer };

/** Argon2id in the usual form, `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. Takes some 50 ms of one core. */
export function hashPassword(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  return encode({ cost: COST, salt, tag: derive(password, salt, COST) });
}

export function isRightPassword(password: string, encoded: string): boolean {
  const { cost, salt, tag } = decode(encoded);
  return timingSafeEqual(derive(password, salt, cost), tag);
}

/** Whether its cost differs from today's. */
export function isOutdated(encoded: string): boolean {
  const { cost } = decode(encoded);
  return (Object.keys(COST) as Array<keyof Cost>).some((part) => cost[part] !== COST[part]);
}

/** A dummy hash: checking against it takes the same time as against a real one. */
export const NOBODYS_HASH = encode({
  cost: COST,
  salt: randomBytes(SALT_BYTES),
  tag: randomBytes(TAG_BYTES),
});

/** Normalizes equivalent spellings: é as one character or as e and an accent. */
function derive(password: string, salt: Buffer, { memoryKib, passes, lanes }: Cost): Buffer {
  return argon2Sync('argon2id', {
    message: password.normalize('NFKC'),
    nonce: salt,
    memory: memoryKib,
    passes,
    parallelism: lanes,
    tagLength: TAG_BYTES,
  });
}

function encode({ cost, salt, tag }: Encoded): string {
  const { memoryKib, passes, lanes } = cost;
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${lanes}$${plain(salt)}$${plain(tag)}`;
}

/** Base64 without padding. */
function plain(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

function decode(encoded: string): Encoded {
  const [, m, t, p, salt, tag] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(encoded) ?? [];
  if (!m || !t || !p || !salt || !tag) throw new Error('A stored password hash is not one of Argon2id.');
  return {
    cost: { memoryKib: Number(m), passes: Number(t), lanes: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}
