import { newId } from '#platform/ids.ts';
import { type AcceptedMessage, type Channel, type Channels, SendFailure } from './channels/channel.ts';
import { messageNotSent } from './problems.ts';
import type { RenderContext } from './template.ts';
import { getTemplate, type TemplateName } from './templates.ts';

/** The channels whose recipient has an address that staff can enter. */
export const TEST_CHANNELS = ['sms', 'whatsapp', 'email'] as const satisfies Channel[];
export const DEFAULT_TEST_TEMPLATE: TemplateName = 'payment_received';

type TestMessage = { channel: (typeof TEST_CHANNELS)[number]; to: string; template: TemplateName };

/** Immediately sends the example of a template to an address. Does not store the message. */
export async function sendTestMessage(
  channels: Channels,
  context: Omit<RenderContext, 'channel'>,
  { channel, to, template: name }: TestMessage,
  now: Date,
): Promise<AcceptedMessage & { text: string }> {
  const template = getTemplate(name);
  const text = template.text(template.example, { channel, ...context });
  const isEmail = channel === 'email';
  const send = channels[channel];
  if (!send) throw messageNotSent('not_configured');
  try {
    const accepted = await send({
      id: newId('msg', now),
      template: name,
      step: null,
      phone: isEmail ? null : to,
      email: isEmail ? to : null,
      subscriptions: [],
      subject: `Teste: ${template.subject(template.example)}`,
      text,
      code: template.code?.(template.example) ?? null,
      link: template.link?.(template.example, { channel, ...context }) ?? null,
      creditor: context.creditor,
    });
    return { ...accepted, text };
  } catch (error) {
    if (error instanceof SendFailure) throw messageNotSent(error.reason);
    throw error;
  }
}
