import type { Tx } from '#platform/database/db.ts';
import type { Audience } from './audience.ts';
import { insertPartnerEvents, lockPublication, type PublishedEvent } from './publish-store.ts';

/** Deliverers listen to this topic. The keys are ids of endpoints. */
export const WEBHOOKS_TOPIC = 'webhooks';

export type Publication = { readonly event: PublishedEvent; readonly audience: readonly Audience[] };

/**
 * Publishes events to partners in this order: adds them to the partners' feeds and queues deliveries to their endpoints. Only one
 * transaction publishes at a time. Idempotent per partner and event.
 */
export async function publishToPartners(tx: Tx, batch: readonly Publication[]): Promise<void> {
  const published = batch.filter(({ audience }) => audience.length > 0);
  if (published.length === 0) return;
  await lockPublication(tx);
  for (const endpointId of await insertPartnerEvents(tx, published))
    tx.notifyAfterCommit(WEBHOOKS_TOPIC, endpointId);
}
