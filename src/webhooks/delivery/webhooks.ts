import { findMerchantWithPlan } from '#catalog';
import type { Deps } from '#module';
import { findPartner } from '#partners';
import type { Db, Queryable, Tx } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import {
  type AuditContext,
  createRowAuditEntity,
  recordAuditEntry,
  withAuditedUpdate,
} from '#platform/privacy/audit-trail.ts';
import { invalidField, notFound } from '#platform/problem.ts';
import type { Mode } from '#platform/settings.ts';
import type { Vault } from '#platform/vault.ts';
import { WEBHOOKS_TOPIC } from '../publish-store.ts';
import { partnerUnknown, tooManyWebhooks, webhookDisabled } from './problems.ts';
import { buildTestEvent, renderBody, renderDelivery, renderWebhook } from './render.ts';
import { DELIVERY_NOT_FOUND, WEBHOOK_ID_PREFIX, WEBHOOK_NOT_FOUND } from './schemas.ts';
import {
  buildSignedHeaders,
  createSigningKey,
  decryptSecrets,
  encryptSecrets,
  generateSecret,
  selectActiveSecrets,
} from './secrets.ts';
import { isDelivered, type Sender } from './sender.ts';
import {
  deleteDeliveries,
  deleteWebhook,
  disableWebhook,
  type EventPosition,
  enableWebhook,
  findDelivery,
  findWebhook,
  insertTestDelivery,
  insertWebhook,
  lockAndCountWebhooks,
  lockWebhook,
  lockWebhooksWithOtherKey,
  type RequeuedBatch,
  requeueEvent,
  requeueEventsAfter,
  saveReencryptedSecrets,
  saveRotatedSecrets,
  saveUrlAndEventTypes,
  type WebhookOwner,
  type WebhookRow,
} from './store.ts';
import { parseTargetUrl } from './target-url.ts';

export const DEFAULT_OVERLAP_HOURS = 24;
export const MAX_OVERLAP_HOURS = 168;
const MAX_WEBHOOKS_PER_PARTNER = 50;
const REPLAY_BATCH_SIZE = 5_000;

export type WebhookDeps = Pick<Deps, 'db' | 'clock' | 'vault'> & { mode: Mode; sender: Sender };

/** Throws a 404 if there is no such webhook, or `owner` is given and does not manage the webhook. */
export async function requireWebhook(db: Queryable, id: string, owner?: WebhookOwner) {
  const webhook = await findWebhook(db, id, owner);
  if (!webhook) throw notFound(WEBHOOK_NOT_FOUND);
  return webhook;
}

const AUDIT_KIND = 'webhook';

const webhookAuditEntity = createRowAuditEntity(AUDIT_KIND, lockWebhook, renderWebhook);

/** Creates a webhook with a new secret. `revealSecret` returns the secret. */
export async function createWebhook(
  tx: Tx,
  input: {
    partner: string;
    url: string;
    events?: readonly string[] | undefined;
    merchant?: string | undefined;
    /** The scopes of the key that registers the webhook, if the key is not bound to a merchant. */
    scopes?: readonly string[] | null;
  },
  { vault, mode }: Pick<WebhookDeps, 'vault' | 'mode'>,
  auditContext: AuditContext,
): Promise<{ id: string }> {
  const url = parseTargetUrl(input.url, mode);
  const partner = await findPartner(tx, input.partner);
  if (!partner) throw partnerUnknown(input.partner);
  if ((await lockAndCountWebhooks(tx, partner.id)) >= MAX_WEBHOOKS_PER_PARTNER)
    throw tooManyWebhooks(MAX_WEBHOOKS_PER_PARTNER);
  const merchant = input.merchant === undefined ? undefined : await findMerchantWithPlan(tx, input.merchant);
  if (input.merchant !== undefined && !merchant) {
    const message = { en: 'no merchant has this slug', pt: 'nenhuma loja tem este slug' };
    throw invalidField('/merchant', message, {
      en: `There is no merchant '${input.merchant}'.`,
      pt: `A loja '${input.merchant}' não existe.`,
    });
  }
  const { now } = auditContext;
  const id = newId(WEBHOOK_ID_PREFIX, now);
  const { bytes: secrets, version: key_version } = encryptSecrets(vault, id, [generateSecret()]);
  await insertWebhook(tx, {
    id,
    partner_id: partner.id,
    url,
    event_types: [...new Set(input.events ?? [])],
    merchant_id: merchant?.id ?? null,
    merchant_slug: merchant?.slug ?? null,
    scopes: input.scopes ? [...input.scopes] : null,
    created_at: now,
    secrets,
    key_version,
  });
  const createdWebhook = renderWebhook(await requireWebhook(tx, id));
  await recordAuditEntry(tx, auditContext, { kind: AUDIT_KIND, id }, createdWebhook);
  return { id };
}

export const revealSecret = (vault: Vault, webhook: WebhookRow): string => decryptSecrets(vault, webhook)[0];

/** Adds a new secret. The current one signs too until the overlap ends. A secret from an earlier rotation is dropped. */
export async function rotateSecret(
  tx: Tx,
  id: string,
  overlapHours: number,
  vault: Vault,
  auditContext: AuditContext,
) {
  const webhook = await withAuditedUpdate(tx, auditContext, { entity: webhookAuditEntity, id }, async () => {
    const [currentSecret] = decryptSecrets(vault, await requireWebhook(tx, id));
    const secrets = encryptSecrets(vault, id, [generateSecret(), currentSecret]);
    await saveRotatedSecrets(tx, id, secrets, overlapHours);
  });
  if (!webhook) throw notFound(WEBHOOK_NOT_FOUND);
  return { id };
}

type WebhookChanges = {
  url?: string;
  events?: readonly string[];
  status?: WebhookRow['status'];
};

/** Applies the changes that a partner requests. */
export function patchWebhook(
  db: Db,
  webhook: WebhookRow,
  { url, events, status }: WebhookChanges,
  { mode, auditContext }: { mode: Mode; auditContext: AuditContext },
): Promise<WebhookRow> {
  const { id } = webhook;
  const urlAndEventTypes = {
    url: url === undefined ? webhook.url : parseTargetUrl(url, mode),
    event_types: events === undefined ? webhook.event_types : [...new Set(events)],
  };
  return updateWebhook(db, id, auditContext, async (tx) => {
    if (url !== undefined || events !== undefined) await saveUrlAndEventTypes(tx, id, urlAndEventTypes);
    if (status === 'enabled') await enableWebhook(tx, id);
    if (status === 'disabled') await disableWebhook(tx, id, 'partner');
  });
}

export async function removeWebhook(db: Db, id: string, auditContext: AuditContext): Promise<void> {
  await db.transaction((tx) =>
    withAuditedUpdate(tx, auditContext, { entity: webhookAuditEntity, id }, () => deleteWebhook(tx, id)),
  );
  await deleteDeliveries(db, id);
}

/** Runs `save` in a transaction that is recorded in the audit trail, and notifies the nodes. */
export async function updateWebhook(
  db: Db,
  id: string,
  auditContext: AuditContext,
  save: (tx: Tx) => Promise<unknown>,
): Promise<WebhookRow> {
  await db.transaction(async (tx) => {
    await withAuditedUpdate(tx, auditContext, { entity: webhookAuditEntity, id }, () => save(tx));
    tx.notifyAfterCommit(WEBHOOKS_TOPIC, id);
  });
  return requireWebhook(db, id);
}

const EVENT_NOT_RECEIVED = {
  en: 'The partner received no event with this id in the last 90 days.',
  pt: 'O parceiro não recebeu nenhum evento com este id nos últimos 90 dias.',
};

async function requireEnabledWebhook(db: Queryable, id: string): Promise<WebhookRow> {
  const webhook = await requireWebhook(db, id);
  if (webhook.status === 'disabled') throw webhookDisabled();
  return webhook;
}

/** Delivers an event again, regardless of the event types of the webhook. */
export async function replayEvent(db: Db, id: string, eventId: string, auditContext: AuditContext) {
  const webhook = await requireEnabledWebhook(db, id);
  await db.transaction(async (tx) => {
    if (!(await requeueEvent(tx, webhook, eventId))) throw notFound(EVENT_NOT_RECEIVED);
    tx.notifyAfterCommit(WEBHOOKS_TOPIC, id);
    await recordAuditEntry(tx, auditContext, { kind: AUDIT_KIND, id }, { event: eventId, replayed: 1 });
  });
}

/**
 * Delivers all matching events since an instant again, and returns their number. Uses batches, so that no transaction takes long. An
 * interrupted replay can be repeated; the audit trail records each batch, and also a replay without events.
 */
export async function replayEventsSince(db: Db, id: string, since: Date, auditContext: AuditContext) {
  const webhook = await requireEnabledWebhook(db, id);
  const replayBatch = (startPosition: EventPosition, countBefore: number) =>
    db.transaction(async (tx) => {
      tx.notifyAfterCommit(WEBHOOKS_TOPIC, id);
      const batch = await requeueEventsAfter(tx, webhook, startPosition, REPLAY_BATCH_SIZE);
      const auditedFields = { since, replayed: batch.queuedCount };
      const isEmptyReplay = countBefore + batch.queuedCount === 0 && batch.lastPosition === null;
      if (batch.queuedCount > 0 || isEmptyReplay)
        await recordAuditEntry(tx, auditContext, { kind: AUDIT_KIND, id }, auditedFields);
      return batch;
    });
  let replayedCount = 0;
  let startPosition: EventPosition | null = { occurred_at: since, position: 0 };
  while (startPosition) {
    const batch: RequeuedBatch = await replayBatch(startPosition, replayedCount);
    replayedCount += batch.queuedCount;
    startPosition = batch.lastPosition;
  }
  return replayedCount;
}

export async function requireDelivery(db: Queryable, webhookId: string, eventId: string) {
  const delivery = await findDelivery(db, webhookId, eventId);
  if (!delivery) throw notFound(DELIVERY_NOT_FOUND);
  return delivery;
}

/** Calls the webhook once, immediately, even if it is disabled, and returns the outcome. */
export async function sendTestEvent(
  deps: Omit<WebhookDeps, 'clock'>,
  id: string,
  auditContext: AuditContext,
) {
  const { db, vault, sender } = deps;
  const webhook = await requireWebhook(db, id);
  const occurredAt = auditContext.now;
  const eventId = newId('evt', occurredAt);
  const event = buildTestEvent(id, { eventId, occurredAt });
  const body = renderBody(event);
  const sentAt = new Date(); // the wall clock, which receivers compare
  const secrets = selectActiveSecrets(decryptSecrets(vault, webhook), webhook.old_secret_until, sentAt);
  const headers = buildSignedHeaders(secrets.map(createSigningKey), eventId, body, sentAt);
  const { retryAfter: _, exchange = null, ...attempt } = await sender.post(webhook.url, headers, body);
  return db.transaction(async (tx) => {
    const delivery = await insertTestDelivery(tx, webhook, {
      eventId,
      type: event.type,
      occurredAt,
      attempt,
      exchange,
      status: isDelivered(attempt) ? 'delivered' : 'failed',
    });
    await recordAuditEntry(tx, auditContext, { kind: AUDIT_KIND, id }, renderDelivery(delivery));
    return delivery;
  });
}

/** Reencrypts all secrets with the first key of DATA_KEYS. */
export async function reencryptSecrets(db: Db, vault: Vault): Promise<void> {
  const reencryptBatch = async (tx: Tx) => {
    const rows = await lockWebhooksWithOtherKey(tx, vault.version);
    for (const row of rows)
      await saveReencryptedSecrets(tx, row.id, encryptSecrets(vault, row.id, decryptSecrets(vault, row)));
    return rows.length;
  };
  let reencryptedCount: number;
  do {
    reencryptedCount = await db.transaction(reencryptBatch);
  } while (reencryptedCount > 0);
}
