import type { Static } from 'typebox';
import { saoPauloDay } from '#core/day.ts';
import type { Deps } from '#module';
import { HIT_KINDS, HITS, type Hit } from '#platform/http/search.ts';
import { REPORTS } from '#reports';
import type { SearchResult, Today } from './schemas.ts';

/** What the staff door shows of all modules together. */
export type Overview = Pick<Deps, 'db' | 'clock'> & {
  search(q: string): Promise<Static<typeof SearchResult>['data']>;
  today(): Promise<Static<typeof Today>>;
  settings: Deps['settingsInForce'];
};

export const openOverview = ({ db, clock, finders, waiting, settingsInForce }: Deps): Overview => ({
  db,
  clock,
  async search(q) {
    const found = await Promise.all(finders().map((find) => find(q, HITS)));
    const hits = found.flat().toSorted((a, b) => HIT_KINDS.indexOf(a.kind) - HIT_KINDS.indexOf(b.kind));
    return hits.map(({ kind, id, title, customer_id = null, customer_name = null }: Hit) => ({
      kind,
      id,
      title,
      customer_id,
      customer_name,
    }));
  },
  async today() {
    const on = saoPauloDay(clock.now().getTime());
    const counts = Object.entries(waiting()).map(async ([name, count]) => [name, await count()] as const);
    const [weekly, aging, ...counted] = await Promise.all([
      REPORTS.weekly.make({ db, clock }, on),
      REPORTS.aging.make({ db, clock }, on),
      ...counts,
    ]);
    return { on, waiting: Object.fromEntries(counted), weekly, aging };
  },
  settings: settingsInForce,
});
