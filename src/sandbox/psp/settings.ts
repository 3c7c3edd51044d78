import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Db, type Queryable, sql } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { type Faults, NO_FAULTS } from './faults.ts';
import { releaseStuckRefunds } from './store/pix.ts';

/** Every call reads the faults, so a node caches them for this long. */
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

  /** Saves the faults. Resolves when no node uses the old ones any more. */
  async set(faults: Faults): Promise<Faults> {
    await updateFaults(this.#db, faults);
    if (faults.refund !== 'stuck') await releaseStuckRefunds(this.#db);
    this.#cachedFaults = undefined;
    await new Promise((resolve) => setTimeout(resolve, FAULTS_TTL_MS));
    return this.getCurrent();
  }
}

type TokenClaims = { scopes: string[]; expiresAtMs: number };

/** The id and the tokens of the simulator. The id and the secret behind the tokens are created on the first start, and all nodes share them. */
export type SimulatorIdentity = {
  simulatorId: string;
  issueToken(claims: TokenClaims): string;
  /** Returns null if this simulator did not issue the token. Does not check the expiry. */
  verifyToken(token: string): TokenClaims | null;
};

export async function loadOrCreateIdentity(db: Db): Promise<SimulatorIdentity> {
  const { simulator_id, token_secret } = (await findSettings(db)) ?? (await createSettings(db));
  const computeMac = (text: string) => createHmac('sha256', token_secret).update(text).digest();
  return {
    simulatorId: simulator_id,
    issueToken(claims) {
      const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
      return `${payload}.${computeMac(payload).toString('base64url')}`;
    },
    verifyToken(token) {
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

/** Returns the existing settings if another node inserted them first. */
async function createSettings(db: Db): Promise<SettingsRow> {
  // `signing_key` is unused: an earlier version required the column.
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
