import { findSellingMerchant } from '#catalog';
import type { Deps } from '#module';
import { findPartner } from '#partners';
import type { Db, Queryable, Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { type Change, recordChange, recordCreation, rowSubject } from '#platform/privacy/trail.ts';
import { notFound, validationFailed } from '#platform/problem.ts';
import type { Mode } from '#platform/settings.ts';
import type { Vault } from '#platform/vault.ts';
import { WEBHOOKS_TOPIC } from '../publish.ts';
import { faultOfUrl } from './addresses.ts';
import { partnerUnknown, tooManyWebhooks, webhookDisabled } from './problems.ts';
import { bodyOf, renderDelivery, renderEndpoint } from './render.ts';
import { ENDPOINT_PREFIX, NO_ENDPOINT } from './schemas.ts';
import { newSecret, openSecrets, sealSecrets, signedHeaders, signingKey, signingNow } from './secrets.ts';
import type { Sender } from './sender.ts';
import {
  countEndpoints,
  type EndpointRow,
  findEndpoint,
  insertEndpoint,
  insertTest,
  listSealedOtherwise,
  lockEndpoint,
  markDisabled,
  markEnabled,
  markResealed,
  markSecrets,
  type Place,
  requeueOne,
  requeueSome,
} from './store.ts';

export const OVERLAP_HOURS = 24;
export const LONGEST_OVERLAP_HOURS = 168;
const MOST_OF_PARTNER = 50;
const REPLAY_BATCH_SIZE = 5_000;
const TEST_TYPE = 'webhook.test';

export type WebhookDeps = Pick<Deps, 'db' | 'clock' | 'vault'> & { mode: Mode; sender: Sender };

export async function requireEndpoint(db: Queryable, id: string): Promise<EndpointRow> {
  const found = await findEndpoint(db, id);
  if (!found) throw notFound(NO_ENDPOINT);
  return found;
}

const KIND = 'webhook';

const webhookSubject = rowSubject(KIND, lockEndpoint, renderEndpoint);

/** Generates the secret; `revealSecret` shows it. */
export async function createEndpoint(
  tx: Tx,
  wish: { partner: string; url: string; events?: readonly string[]; merchant?: string },
  { vault, mode }: Pick<WebhookDeps, 'vault' | 'mode'>,
  change: Change,
): Promise<{ id: string }> {
  const fault = faultOfUrl(wish.url, mode);
  if (fault)
    throw validationFailed([{ pointer: '/url', message: fault }], {
      en: `The address ${fault.en}.`,
      pt: `O endereço ${fault.pt}.`,
    });
  const partner = await findPartner(tx, wish.partner);
  if (!partner) throw partnerUnknown(wish.partner);
  if ((await countEndpoints(tx, partner.id)) >= MOST_OF_PARTNER) throw tooManyWebhooks(MOST_OF_PARTNER);
  const merchant = wish.merchant === undefined ? undefined : await findSellingMerchant(tx, wish.merchant);
  if (wish.merchant !== undefined && !merchant)
    throw validationFailed(
      [
        {
          pointer: '/merchant',
          message: { en: 'no merchant has this slug', pt: 'nenhuma loja tem este slug' },
        },
      ],
      { en: `There is no merchant '${wish.merchant}'.`, pt: `A loja '${wish.merchant}' não existe.` },
    );
  const { now } = change;
  const id = newId(ENDPOINT_PREFIX, now);
  const { bytes: secrets, version: key_version } = sealSecrets(vault, id, [newSecret()]);
  await insertEndpoint(tx, {
    id,
    partner_id: partner.id,
    url: new URL(wish.url).href,
    event_types: [...new Set(wish.events ?? [])],
    merchant_id: merchant?.id ?? null,
    merchant_slug: merchant?.slug ?? null,
    created_at: now,
    secrets,
    key_version,
  });
  await recordCreation(tx, change, { kind: KIND, id }, renderEndpoint(await requireEndpoint(tx, id)));
  return { id };
}

export const revealSecret = (vault: Vault, endpoint: EndpointRow): string => openSecrets(vault, endpoint)[0];

/** Both secrets sign until the overlap ends. An older one that was being replaced is dropped. */
export async function rotateSecret(tx: Tx, id: string, overlapHours: number, vault: Vault, change: Change) {
  const rotated = await recordChange(tx, change, { of: webhookSubject, id }, async () => {
    const [current] = openSecrets(vault, await requireEndpoint(tx, id));
    await markSecrets(tx, id, sealSecrets(vault, id, [newSecret(), current]), overlapHours);
  });
  if (!rotated) throw notFound(NO_ENDPOINT);
  return { id };
}

export function disableEndpoint(db: Db, id: string, change: Change): Promise<EndpointRow> {
  return changeEndpoint(db, id, change, markDisabled);
}

/** Deliveries that were pending when it was disabled continue. */
export function enableEndpoint(db: Db, id: string, change: Change): Promise<EndpointRow> {
  return changeEndpoint(db, id, change, markEnabled);
}

async function changeEndpoint(
  db: Db,
  id: string,
  change: Change,
  mark: (tx: Tx, id: string) => Promise<unknown>,
): Promise<EndpointRow> {
  await db.transaction(async (tx) => {
    await recordChange(tx, change, { of: webhookSubject, id }, () => mark(tx, id));
    tx.announce(WEBHOOKS_TOPIC, id);
  });
  return requireEndpoint(db, id);
}

/** Redelivers one event, whatever the filter, or all that the endpoint wants since an instant. Returns how many. */
export async function replay(db: Db, id: string, wish: { event: string } | { since: Date }, change: Change) {
  const endpoint = await requireEndpoint(db, id);
  const record = (tx: Tx, replayed: number) =>
    recordCreation(tx, change, { kind: KIND, id }, { ...wish, replayed });
  if (endpoint.status === 'disabled') throw webhookDisabled();
  if ('event' in wish) {
    const { event } = wish;
    const known = await db.transaction(async (tx) => {
      if (!(await requeueOne(tx, endpoint, event))) return false;
      tx.announce(WEBHOOKS_TOPIC, id);
      await record(tx, 1);
      return true;
    });
    if (!known)
      throw notFound({
        en: 'The partner was told of no event with this id in the last 90 days.',
        pt: 'O parceiro não recebeu nenhum evento com este id nos últimos 90 dias.',
      });
    return 1;
  }
  let total = 0;
  let place: Place | null = { occurred_at: wish.since, position: 0 };
  while (place) {
    const [after, before]: [Place, number] = [place, total];
    // In batches, so that no transaction is long. If interrupted it can be repeated; what was queued is in the trail.
    const { queued, last } = await db.transaction(async (tx) => {
      tx.announce(WEBHOOKS_TOPIC, id);
      const some = await requeueSome(tx, endpoint, after, REPLAY_BATCH_SIZE);
      if (some.queued > 0 || (before === 0 && some.last === null)) await record(tx, some.queued);
      return some;
    });
    total += queued;
    place = last;
  }
  return total;
}

/** Calls the endpoint once, now, even if it is disabled, and returns the outcome. */
export async function testEndpoint(deps: Omit<WebhookDeps, 'clock'>, id: string, change: Change) {
  const { db, vault, sender } = deps;
  const endpoint = await requireEndpoint(db, id);
  const at = change.now;
  const eventId = newId('evt', at);
  const data = { endpoint: id };
  const body = bodyOf({ id: eventId, type: TEST_TYPE, occurred_at: at, sequence: null, data });
  const now = new Date();
  const secrets = signingNow(openSecrets(vault, endpoint), endpoint.old_secret_until, now);
  const headers = signedHeaders(secrets.map(signingKey), eventId, body, now);
  const { retryAfter: _, ...attempt } = await sender.post(endpoint.url, headers, body);
  const isWell = attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
  const status = isWell ? 'delivered' : 'failed';
  return db.transaction(async (tx) => {
    const test = await insertTest(tx, endpoint, { eventId, type: TEST_TYPE, at, attempt, status });
    await recordCreation(tx, change, { kind: KIND, id }, renderDelivery(test));
    return test;
  });
}

/** Reencrypts with the first of DATA_KEYS. */
export async function resealSecrets(db: Db, vault: Vault): Promise<void> {
  const resealSome = (tx: Tx) =>
    listSealedOtherwise(tx, vault.version).then(async (rows) => {
      for (const row of rows)
        await markResealed(tx, row.id, sealSecrets(vault, row.id, openSecrets(vault, row)));
      return rows.length;
    });
  while ((await db.transaction(resealSome)) > 0);
}
