import { type Command, CommandFault, UsageFault } from '#platform/command-line/command.ts';
import { choiceOf } from '#platform/command-line/listing.ts';
import { newId } from '#platform/ids.ts';
import { changeByCommand, recordCreation } from '#platform/privacy/trail.ts';
import { configuredChannels } from '../messages.ts';
import type { MessagesSettings } from '../settings.ts';
import { TEMPLATES, type TemplateName } from '../templates.ts';
import { TRIED_CHANNELS, TRIED_TEMPLATE, tryChannel } from '../try-channel.ts';
import { EXAMPLE_CREDITOR } from './message-lists.ts';

export const messageTest = (settings: () => MessagesSettings): Command => ({
  name: 'message test',
  summary: 'send an example to yourself',
  options: {
    channel: { value: 'CHANNEL', help: TRIED_CHANNELS.join(', '), required: true },
    to: { value: 'ADDRESS', help: 'a phone in E.164, or an e-mail address', required: true },
    template: { value: 'NAME', help: `whose example (default ${TRIED_TEMPLATE})` },
  },
  details:
    'At once, through the provider that is set. In the sandbox there is none: messages are in its inbox.',
  examples: ['semana message test --channel email --to eu@semana.example --template reminder'],
  async run(context, args) {
    const channel = choiceOf(args, 'channel', TRIED_CHANNELS)!;
    const template = choiceOf(args, 'template', Object.keys(TEMPLATES) as TemplateName[]) ?? TRIED_TEMPLATE;
    const to = args.required('to');
    if (channel === 'email' ? !to.includes('@') : !/^\+\d{8,15}$/.test(to))
      throw new UsageFault('--to is a phone like +5511987650001, or an e-mail address.');
    const given = settings();
    if (given.sender === 'inbox')
      throw new CommandFault('In the sandbox messages are not sent: GET /sandbox/messages shows them.');
    const walletPage = (page: string) => given.walletLink.replace('{page}', page);
    const channels = configuredChannels(given, { ...given.twilio, callbackUrl: () => '' });
    const writing = { creditor: EXAMPLE_CREDITOR, walletPage };
    const change = changeByCommand(context, 'message test');
    const { providerId } = await tryChannel(channels, writing, { channel, to, template }, change.now);
    const address = channel === 'email' ? { email: to } : { phone: to };
    const tried = { kind: 'message_test', id: newId('msg', change.now) };
    await context.db.transaction((tx) =>
      recordCreation(tx, change, tried, { channel, template, ...address }),
    );
    context.print(`The provider has taken it${providerId === null ? '' : `, as ${providerId}`}.`);
  },
});
