import type { Queryable } from '#platform/db.ts';
import { mergeTold, type PersonalData, type StoryLine } from '#platform/personal-data.ts';

/** A page of what happened to a customer, newest first, from all modules that know something of it. */
export async function tellStory(
  db: Queryable,
  personalData: readonly PersonalData[],
  customerId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; rows: StoryLine[] }> {
  const all = await Promise.all(
    personalData.flatMap(({ story }) => story?.(db, customerId, offset + limit) ?? []),
  );
  const { total, lines } = mergeTold(all);
  return { total, rows: lines.slice(offset, offset + limit) };
}
