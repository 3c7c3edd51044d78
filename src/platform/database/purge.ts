/** `purge` deletes a batch and returns its size, so that no statement is long. */
export async function purgeInBatches(purge: () => Promise<number>): Promise<void> {
  while ((await purge()) > 0);
}
