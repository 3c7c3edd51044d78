/** Calls `purge`, which deletes a batch and returns its size, until nothing is left. So no statement runs long. */
export async function purgeInBatches(purge: () => Promise<number>): Promise<void> {
  while ((await purge()) > 0);
}
