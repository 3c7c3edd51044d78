import { newId } from '#platform/ids.ts';
import { type Accepted, type Channel, type Channels, NotSent } from './channels/channel.ts';
import { messageNotSent } from './problems.ts';
import type { Writing } from './template.ts';
import { type TemplateName, templateOf } from './templates.ts';

/** Those whose receiver has an address that can be written. Web Push is tried in the wallet. */
export const TRIED_CHANNELS = ['sms', 'whatsapp', 'email'] as const satisfies Channel[];
export const TRIED_TEMPLATE: TemplateName = 'payment_received';

type Trial = { channel: (typeof TRIED_CHANNELS)[number]; to: string; template: TemplateName };

/** Sends the example of a template to an address, at once. Only the caller records it. */
export async function tryChannel(
  channels: Channels,
  writing: Omit<Writing, 'channel'>,
  { channel, to, template: name }: Trial,
  now: Date,
): Promise<Accepted & { text: string }> {
  const template = templateOf(name);
  const text = template.text(template.example, { channel, ...writing });
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
      link: template.link?.(template.example, { channel, ...writing }) ?? null,
      creditor: writing.creditor,
    });
    return { ...accepted, text };
  } catch (error) {
    if (error instanceof NotSent) throw messageNotSent(error.reason);
    throw error;
  }
}
