import { defineModule } from '#module';
import { purgeInBatches } from '#platform/housekeeping.ts';
import { getWalletEvents } from './http/get-wallet-events.ts';
import { purgeEvents, purgeGlobalEvents } from './store.ts';
import { Streams, tooManyStreams } from './streams.ts';

const KEPT_MS = 90 * 86_400_000;

export const eventsModule = defineModule({
  name: 'events',
  problems: [tooManyStreams],
  open(deps) {
    const streams = new Streams(deps);
    return {
      front: [getWalletEvents(streams)],
      async housekeeping(now) {
        const before = new Date(now.getTime() - KEPT_MS);
        await purgeInBatches(() => purgeEvents(deps.db, before));
        await purgeInBatches(() => purgeGlobalEvents(deps.db, before));
      },
      drain: () => streams.stop(),
    };
  },
});
