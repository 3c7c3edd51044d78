import type { Tx } from '#platform/database/db.ts';
import type { Audience } from './audience.ts';
import { insertPartnerEvents, lockPublication, type PublishedEvent } from './publish-store.ts';

/** Deliverers listen on it; the keys are ids of endpoints. */
export const WEBHOOKS_TOPIC = 'webhooks';

export type Publication = { readonly event: PublishedEvent; readonly audience: readonly Audience[] };

/**
 * Tells partners what happened, in this order: adds it to what they can read, and queues its deliveries to their endpoints. One
 * transaction at a time does so. What a partner was told of already is left as it is.
 */
export async function publishToPartners(tx: Tx, batch: readonly Publication[]): Promise<void> {
  const told = batch.filter(({ audience }) => audience.length > 0);
  if (told.length === 0) return;
  await lockPublication(tx);
  for (const endpointId of await insertPartnerEvents(tx, told)) tx.announce(WEBHOOKS_TOPIC, endpointId);
}
