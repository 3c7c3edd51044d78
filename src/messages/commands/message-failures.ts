import { readingCommand, tableOf } from '#platform/command-line/reading.ts';
import { shownInstant } from '#platform/command-line/times.ts';
import { listFailedMessages } from '../store.ts';

const MOST_SHOWN = 100;

export const messageFailures = readingCommand({
  name: 'message failures',
  summary: 'show messages to customers that could not be sent',
  details: `The last ${MOST_SHOWN}, newest first. REASON is what the gateway said: twilio_21211 is Twilio's error 21211.`,
  async read({ db }) {
    const records = await listFailedMessages(db, MOST_SHOWN);
    const text = tableOf(
      records,
      {
        ID: ({ id }) => id,
        CUSTOMER: ({ customer_id }) => customer_id,
        TEMPLATE: ({ template }) => template,
        CHANNEL: ({ channel }) => channel ?? '-',
        REASON: ({ reason }) => reason ?? '-',
        ATTEMPTS: ({ attempts }) => String(attempts),
        AT: ({ updated_at }) => shownInstant(updated_at),
      },
      'None: every message was sent, or is still being tried.',
    );
    return { records, text };
  },
});
