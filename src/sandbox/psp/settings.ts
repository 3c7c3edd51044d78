import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Db, type Queryable, sql } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { type Faults, NO_FAULTS } from './faults.ts';
import { releaseStuckRefunds } from './store/pix.ts';

/** How long a node caches the faults, because every call reads them. */
export const FAULTS_TTL_MS = 200;

export class FaultSettings {
  readonly #db: Db;
  #cachedFaults: Promise<Faults> | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(db: Db) {
    this.#db = db;
  }

  getCurrent(): Promise<Faults> {
    const nowMs = performance.now();
    if (this.#cachedFaults && nowMs - this.#readAtMs < FAULTS_TTL_MS) return this.#cachedFaults;
    const faultsPromise = findFaults(this.#db).then((storedFaults) => ({ ...NO_FAULTS, ...storedFaults }));
    faultsPromise.catch(() => {
      if (this.#cachedFaults === faultsPromise) this.#cachedFaults = undefined;
    });
    this.#cachedFaults = faultsPromise;
    this.#readAtMs = nowMs;
    return faultsPromise;
  }

  /** Resolves when no node uses the old faults any more. */
  async set(faults: Faults): Promise<Faults> {
    await updateFaults(this.#db, faults);
    if (faults.refund !== 'stuck') await releaseStuckRefunds(this.#db);
    this.#cachedFaults = undefined;
    await new Promise((resolve) => setTimeout(resolve, FAULTS_TTL_MS));
    return this.getCurrent();
  }
}

type TokenClaims = { scopes: string[]; expiresAtMs: number };

/** The bank's secrets, created on its first start and shared by all nodes. */
export type BankSecrets = {
  simulatorId: string;
  issueToken(claims: TokenClaims): string;
  /** Returns null if this bank did not issue the token. */
  readToken(token: string): TokenClaims | null;
};

export async function openSecrets(db: Db): Promise<BankSecrets> {
  const { simulator_id, token_secret } = (await findSettings(db)) ?? (await createSettings(db));
  const computeMac = (text: string) => createHmac('sha256', token_secret).update(text).digest();
  return {
    simulatorId: simulator_id,
    issueToken(claims) {
      const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
      return `${payload}.${computeMac(payload).toString('base64url')}`;
    },
    readToken(token) {
      const [payload = '', signature = ''] = token.split('.');
      const receivedMac = Buffer.from(signature, 'base64url');
      const expectedMac = computeMac(payload);
      if (receivedMac.length !== expectedMac.length || !timingSafeEqual(receivedMac, expectedMac))
        return null;
      return JSON.parse(Buffer.from(payload, 'base64url').toString()) as TokenClaims;
    },
  };
}

type SettingsRow = { simulator_id: string; token_secret: Buffer };

const findSettings = (db: Queryable) =>
  db.row<SettingsRow>(sql`select simulator_id, token_secret from psp_sim_settings`);

/** Does nothing if another node has inserted the settings. */
async function createSettings(db: Db): Promise<SettingsRow> {
  // Nothing is signed: the column of the key remains from an earlier version.
  await db.run(sql`
    insert into psp_sim_settings (simulator_id, token_secret, signing_key, faults)
    values (${newId('psp', new Date())}, ${randomBytes(32)}, '{}', ${JSON.stringify(NO_FAULTS)})
    on conflict do nothing`);
  return (await findSettings(db))!;
}

export async function findFaults(db: Queryable): Promise<Partial<Faults>> {
  const row = await db.row<{ faults: Partial<Faults> }>(sql`select faults from psp_sim_settings`);
  return row?.faults ?? {};
}

export const updateFaults = (db: Queryable, faults: Faults) =>
  db.run(sql`update psp_sim_settings set faults = ${JSON.stringify(faults)}`);
