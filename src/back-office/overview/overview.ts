import type { Static } from 'typebox';
import { saoPauloDay } from '#core/values/day.ts';
import type { Deps } from '#module';
import type { Caller } from '#platform/http/endpoint.ts';
import {
  MAX_HITS_PER_KIND,
  SEARCH_HIT_KINDS,
  type SearchHit,
  searchOptionsFor,
} from '#platform/http/search.ts';
import { REPORTS } from '../reports/reports.ts';
import type { SearchResult, Today } from './schemas.ts';

/** The dependencies of the endpoints of the overview: searches, counts and settings of all modules combined. */
export type OverviewDeps = Pick<Deps, 'db' | 'clock'> & {
  search(q: string, caller: Pick<Caller, 'role'>): Promise<Static<typeof SearchResult>['data']>;
  getToday(): Promise<Static<typeof Today>>;
  listEffectiveSettings: Deps['listEffectiveSettings'];
};

export const createOverviewDeps = ({
  db,
  clock,
  listSearchers,
  pendingWork,
  listEffectiveSettings,
}: Deps): OverviewDeps => ({
  db,
  clock,
  async search(q, caller) {
    const options = searchOptionsFor(caller);
    const hitsByModule = await Promise.all(
      listSearchers().map((search) => search(q, MAX_HITS_PER_KIND, options)),
    );
    const hits = hitsByModule
      .flat()
      .toSorted((a, b) => SEARCH_HIT_KINDS.indexOf(a.kind) - SEARCH_HIT_KINDS.indexOf(b.kind));
    return hits.map(({ kind, id, title, customer_id = null, customer_name = null }: SearchHit) => ({
      kind,
      id,
      title,
      customer_id,
      customer_name,
    }));
  },
  async getToday() {
    const today = saoPauloDay(clock.now().getTime());
    const countQueries = Object.entries(pendingWork()).map(
      async ([kind, countItems]) => [kind, await countItems()] as const,
    );
    const [weekly, aging, ...countsByKind] = await Promise.all([
      REPORTS.weekly.compute({ db, clock }, today),
      REPORTS.aging.compute({ db, clock }, today),
      ...countQueries,
    ]);
    return { on: today, waiting: Object.fromEntries(countsByKind), weekly, aging };
  },
  listEffectiveSettings,
});
