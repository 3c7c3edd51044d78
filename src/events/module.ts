import { defineModule } from '#module';
import { customerPartners } from './audience.ts';
import { getWalletEvents } from './http/get-wallet-events.ts';
import { purgePartnerEvents } from './publish-store.ts';
import { Relay } from './relay.ts';
import { purgeEvents } from './store.ts';
import { Streams, tooManyStreams } from './streams.ts';

const KEPT_MS = 90 * 86_400_000;

export const eventsModule = defineModule({
  name: 'events',
  problems: [tooManyStreams],
  open(deps) {
    const streams = new Streams(deps);
    const relay = new Relay({ ...deps, listPartners: deps.find(customerPartners)! });
    return {
      front: [getWalletEvents(streams)],
      async housekeeping(now) {
        const before = new Date(now.getTime() - KEPT_MS);
        await purgeEvents(deps.db, before);
        await purgePartnerEvents(deps.db, before);
      },
      start: async () => relay.start(),
      drain: () => streams.stop(),
      stop: () => relay.stop(),
    };
  },
});
