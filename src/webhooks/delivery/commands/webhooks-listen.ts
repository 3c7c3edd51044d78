import { setTimeout as sleep } from 'node:timers/promises';
import { findPartner } from '#partners';
import { CommandError, formatInstant, queryCommand, UsageError } from '#platform/command-line/command.ts';
import { findNewestEventPosition, listPartnerEventsAfter } from '../../publish-store.ts';
import { renderBody } from '../render.ts';
import { buildSignedHeaders, createSigningKey, generateSecret } from '../secrets.ts';
import { createSender } from '../sender.ts';
import type { WebhookSettings } from '../settings.ts';
import { findUrlViolation } from '../target-url.ts';

const DEMO_PARTNER = 'Demo partner';
const POLL_INTERVAL_MS = 250;
const LISTEN_BATCH_SIZE = 100;

export const webhooksListen = (settings: () => WebhookSettings) =>
  queryCommand({
    name: 'webhooks listen',
    requiredSettings: [settings],
    summary: 'print a partner’s events as they occur, and forward them to a local URL',
    options: {
      partner: { value: 'ID', help: `id or name of the partner (default ${DEMO_PARTNER})` },
      forward: { value: 'URL', help: 'URL to post each event to, signed like a delivery' },
    },
    details:
      'For development with the sandbox: creates no endpoint and retries nothing. Stop it with ctrl-C. Prints the secret of this run ' +
      'to standard error.',
    examples: ['semana webhooks listen --forward http://localhost:4000/hook'],
    async query({ db, config, printResult, printError }, args) {
      if (config.mode === 'live')
        throw new CommandError('This command is only for the sandbox. In live mode, create an endpoint.');
      const partnerName = args.getOption('partner') ?? DEMO_PARTNER;
      const partner = await findPartner(db, partnerName);
      if (!partner)
        throw new CommandError(`There is no partner '${partnerName}'. See 'semana partners list'.`);
      const forwardUrl = args.getOption('forward');
      const violation = forwardUrl === undefined ? undefined : findUrlViolation(forwardUrl, config.mode);
      if (violation) throw new UsageError(`--forward ${violation.en}.`);

      const abortController = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => abortController.abort());
      const sender = createSender({ mode: config.mode, ...settings() });
      const secret = generateSecret();
      const key = createSigningKey(secret);
      let lastPosition = await findNewestEventPosition(db, partner.id);
      printError(`Listening to the events of ${partnerName}. Signed with ${secret}. Stop with ctrl-C.`);
      while (!abortController.signal.aborted) {
        const events = await listPartnerEventsAfter(db, partner.id, lastPosition, LISTEN_BATCH_SIZE);
        for (const event of events) {
          if (abortController.signal.aborted) break;
          lastPosition = event.position;
          const body = renderBody(event);
          const record = JSON.parse(body);
          const eventText = `${formatInstant(event.occurred_at)}  ${event.type}  ${event.id}`;
          const dataText = JSON.stringify(event.data);
          if (forwardUrl === undefined) {
            printResult(record, `${eventText}\n  ${dataText}`);
            continue;
          }
          const headers = buildSignedHeaders([key], event.id, body, new Date());
          const { status, error, duration_ms } = await sender.post(forwardUrl, headers, body);
          printResult(
            { ...record, forwarded: { status, error, duration_ms } },
            `${eventText}  ${status ?? error} in ${duration_ms} ms\n  ${dataText}`,
          );
        }
        if (events.length < LISTEN_BATCH_SIZE)
          await sleep(POLL_INTERVAL_MS, undefined, { signal: abortController.signal }).catch(() => undefined); // stopped
      }
      sender.close();
      return { records: [], text: 'Ended.' };
    },
  });
