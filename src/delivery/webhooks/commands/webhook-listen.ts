import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { requirePartner } from '#partners';
import { CommandFault, UsageFault } from '#platform/command-line/command.ts';
import { readingCommand } from '#platform/command-line/reading.ts';
import { shownInstant } from '#platform/command-line/times.ts';
import { findNewestPartnerPosition, listPartnerEventsAfter } from '../../../delivery/publish-store.ts';
import { faultOfUrl } from '../addresses.ts';
import { bodyOf } from '../render.ts';
import { newSecret, signedHeaders, signingKey } from '../secrets.ts';
import { openSender } from '../sender.ts';
import type { WebhookSettings } from '../settings.ts';

const DEMO_PARTNER = 'Demo partner';
const POLL_MS = 250;
const LISTEN_BATCH_SIZE = 100;

export const webhookListen = (settings: () => WebhookSettings) =>
  readingCommand({
    name: 'webhook listen',
    needs: [settings],
    summary: 'show a partner’s events as they come, and forward them to a program of yours',
    options: {
      partner: { value: 'ID', help: `whose events, by id or name (default ${DEMO_PARTNER})` },
      forward: { value: 'URL', help: 'where to post each of them, signed like any delivery' },
    },
    details:
      'For developing against the sandbox: no endpoint is registered, nothing is retried, and it ends with ctrl-C. The secret of ' +
      'this run goes to standard error.',
    examples: ['semana webhook listen --forward http://localhost:4000/hook'],
    async read({ db, config, found, printError }, args) {
      if (config.mode === 'live')
        throw new CommandFault('This is for the sandbox. In live, register an endpoint.');
      const wanted = args.option('partner') ?? DEMO_PARTNER;
      const partner = await requirePartner(db, wanted);
      const forward = args.option('forward');
      const fault = forward === undefined ? undefined : faultOfUrl(forward, config.mode);
      if (fault) throw new UsageFault(`--forward ${fault}.`);

      const over = new AbortController();
      const ended = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]).then(() =>
        over.abort(),
      );
      const sender = openSender({ mode: config.mode, ...settings() });
      const secret = newSecret();
      const key = signingKey(secret);
      let position = await findNewestPartnerPosition(db, partner.id);
      printError(`Listening to the events of ${wanted}. Signed with ${secret}. End it with ctrl-C.`);
      while (!over.signal.aborted) {
        const events = await listPartnerEventsAfter(db, partner.id, position, LISTEN_BATCH_SIZE);
        for (const event of events) {
          if (over.signal.aborted) break;
          position = event.position;
          const body = bodyOf(event);
          const sent =
            forward && (await sender.post(forward, signedHeaders([key], event.id, body, new Date()), body));
          const { status, error, duration_ms } = sent || { status: null, error: null, duration_ms: 0 };
          const went = sent ? `  ${status ?? error} in ${duration_ms} ms` : '';
          const time = shownInstant(event.occurred_at);
          found(
            { ...JSON.parse(body), ...(sent && { forwarded: { status, error, duration_ms } }) },
            `${time}  ${event.type}  ${event.id}${went}\n  ${JSON.stringify(event.data)}`,
          );
        }
        if (events.length < LISTEN_BATCH_SIZE)
          await sleep(POLL_MS, undefined, { signal: over.signal }).catch(() => undefined); // ended
      }
      sender.close();
      await ended;
      return { records: [], text: 'Ended.' };
    },
  });
