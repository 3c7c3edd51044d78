import { type Command, CommandFault } from '#platform/command-line/command.ts';
import { changeByCommand, recordChange } from '#platform/privacy/trail.ts';
import { payoutAccountSubject, stopAccountChange } from '../payout-account.ts';

export const payoutAccountStop: Command = {
  name: 'payout account-stop',
  summary: 'stop a change of where a merchant is paid',
  positionals: [{ name: 'SLUG', help: 'the merchant' }],
  details:
    'What an owner asked for counts after 24 hours, unless it is stopped before. The account stays as it is.',
  examples: ['semana payout account-stop padaria-flor-do-trigo'],
  async run(context, args) {
    const [slug = ''] = args.positionals;
    const change = changeByCommand(context, 'payout account-stop');
    const stopped = await context.db.transaction((tx) =>
      recordChange(tx, change, { of: payoutAccountSubject, id: slug }, () => stopAccountChange(tx, slug)),
    );
    if (!stopped) throw new CommandFault(`There is no merchant '${slug}'.`);
    context.print(`${slug} is paid as before.`);
  },
};
