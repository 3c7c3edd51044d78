import { type Command, UsageFault } from '#platform/command-line/command.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import { replay } from '../endpoints.ts';
import { WEBHOOK_ID } from './webhook-id.ts';

export const webhookReplay: Command = {
  name: 'webhook replay',
  summary: 'deliver events once more',
  positionals: [WEBHOOK_ID],
  options: {
    event: { value: 'ID', help: 'one event' },
    since: { value: 'INSTANT', help: 'all the endpoint wants since then, e.g. 2026-11-15T12:00:00Z' },
  },
  examples: ['semana webhook replay whe_01kfx3v9e2r4s6t8w0y2a4c6e8 --since 2026-11-15T12:00:00Z'],
  async run(context, args) {
    const { db, print } = context;
    const event = args.option('event');
    const since = args.option('since');
    if ((event === undefined) === (since === undefined))
      throw new UsageFault('Say either --event or --since.');
    const instant = new Date(since ?? 0);
    if (since !== undefined && (Number.isNaN(instant.getTime()) || !/T.*(Z|[+-]\d\d:\d\d)$/.test(since)))
      throw new UsageFault(`--since is '${since}'; write it like 2026-11-15T12:00:00Z.`);
    const wish = event === undefined ? { since: instant } : { event };
    const count = await replay(db, args.positionals[0]!, wish, changeByCommand(context, 'webhook replay'));
    print(`${count} ${count === 1 ? 'delivery is' : 'deliveries are'} on the way.`);
  },
};
