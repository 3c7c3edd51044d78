import type { Tx } from '#platform/database/db.ts';
import type { Audience } from './audience.ts';
import { insertPartnerEvents, lockPublication, type PublishedEvent } from './publish-store.ts';

/** Deliverers listen to it; the keys are ids of endpoints. */
export const WEBHOOKS_TOPIC = 'webhooks';

export type Publication = { readonly event: PublishedEvent; readonly audience: readonly Audience[] };

/**
 * Publishes events to partners, in this order: adds them to their feeds, and queues deliveries to their endpoints. One
 * transaction at a time. Idempotent per partner and event.
 */
export async function publishToPartners(tx: Tx, batch: readonly Publication[]): Promise<void> {
  const told = batch.filter(({ audience }) => audience.length > 0);
  if (told.length === 0) return;
  await lockPublication(tx);
  for (const endpointId of await insertPartnerEvents(tx, told)) tx.announce(WEBHOOKS_TOPIC, endpointId);
}
