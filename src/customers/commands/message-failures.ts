import { type Command, table } from '#platform/command.ts';
import { listFailedMessages } from '../codes/store.ts';

const MOST_SHOWN = 100;

export const messageFailures: Command = {
  name: 'message failures',
  summary: 'show messages to customers that could not be sent',
  options: { json: { help: 'one JSON object a line, for scripts' } },
  details: `The last ${MOST_SHOWN}, newest first. REASON is what the gateway said: twilio_21211 is Twilio's error 21211.`,
  async run({ db, print }, args) {
    const failed = await listFailedMessages(db, MOST_SHOWN);
    if (args.has('json')) for (const message of failed) print(JSON.stringify(message));
    else if (failed.length === 0) print('None: every message was sent, or is still being tried.');
    else {
      print(
        table(
          ['ID', 'CUSTOMER', 'PURPOSE', 'REASON', 'ATTEMPTS', 'AT'],
          failed.map((message) => [
            ...[message.id, message.customer_id, message.purpose, message.reason ?? '-'],
            ...[String(message.attempts), message.updated_at.toISOString().slice(0, 19)],
          ]),
        ),
      );
    }
    return undefined;
  },
};
