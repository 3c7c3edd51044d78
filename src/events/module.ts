import { defineModule } from '#module';
import { getWalletEvents } from './http/get-wallet-events.ts';
import { Streams, tooManyStreams } from './streams.ts';

export const eventsModule = defineModule({
  name: 'events',
  problems: [tooManyStreams],
  open(deps) {
    const streams = new Streams(deps);
    return { front: [getWalletEvents(streams)], drain: () => streams.stop() };
  },
});
