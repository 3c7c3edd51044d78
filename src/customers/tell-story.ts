import type { Queryable } from '#platform/database/db.ts';
import type { Range } from '#platform/http/listing.ts';
import { type PersonalData, type StoryLine, storyOf } from '#platform/privacy/personal-data.ts';

/** A page of a customer's story, newest first, from all modules. */
export async function tellStory(
  db: Queryable,
  personalData: readonly PersonalData[],
  customerId: string,
  { offset, limit }: Range,
): Promise<{ total: number; rows: StoryLine[] }> {
  const tell = storyOf(...personalData.flatMap(({ story }) => story ?? []));
  const { total, lines } = await tell(db, customerId, offset + limit);
  return { total, rows: lines.slice(offset, offset + limit) };
}
