import { HOUR_MS } from '#core/values/duration.ts';
import { getTitleInSentence } from '#core/values/message-titles.ts';
import { newId } from '#platform/ids.ts';
import {
  type AcceptedMessage,
  CHANNELS,
  type Channel,
  type Channels,
  PHONE_CHANNELS,
  SendFailure,
} from './channels/channel.ts';
import { messageNotSent } from './problems.ts';
import type { RenderContext } from './template.ts';
import { getTemplate, TEMPLATES, type TemplateName } from './templates.ts';

/** Renders the example of every template for each channel; null if the template does not use the channel. */
export function renderTemplates(context: Omit<RenderContext, 'channel'>) {
  return (Object.keys(TEMPLATES) as TemplateName[]).toSorted().map((name) => {
    const { recipient, isLegalNotice, ttlMs, channels, ...template } = getTemplate(name);
    const { example } = template;
    const usedChannels: readonly Channel[] =
      channels ?? (recipient === 'customer' ? CHANNELS : PHONE_CHANNELS);
    const renderText = (channel: Channel) =>
      usedChannels.includes(channel) ? template.text(example, { channel, ...context }) : null;
    return {
      name,
      title: getTitleInSentence(name),
      to: recipient,
      legal: isLegalNotice,
      life_hours: ttlMs / HOUR_MS,
      subject: template.subject(example),
      whatsapp: renderText('whatsapp'),
      sms: renderText('sms'),
      email: renderText('email'),
      push: renderText('push'),
      link: template.link?.(example, { channel: 'email', ...context }) ?? null,
      code: template.code?.(example) ?? null,
    };
  });
}

/** The channels whose recipient has an address that staff can enter. */
export const TEST_CHANNELS = ['sms', 'whatsapp', 'email'] as const satisfies Channel[];
export const DEFAULT_TEST_TEMPLATE: TemplateName = 'payment_received';

type TestMessage = { channel: (typeof TEST_CHANNELS)[number]; address: string; template: TemplateName };

/** Immediately sends the example of a template to an address. Does not store the message. */
export async function sendTestMessage(
  channels: Channels,
  context: Omit<RenderContext, 'channel'>,
  { channel, address, template: name }: TestMessage,
  now: Date,
): Promise<AcceptedMessage & { text: string }> {
  const template = getTemplate(name);
  const text = template.text(template.example, { channel, ...context });
  const isEmail = channel === 'email';
  const send = channels[channel];
  if (!send) throw messageNotSent('not_configured');
  try {
    const acceptedMessage = await send({
      id: newId('msg', now),
      template: name,
      step: null, // also for the example of a reminder
      phone: isEmail ? null : address,
      email: isEmail ? address : null,
      subscriptions: [],
      subject: `Teste: ${template.subject(template.example)}`,
      text,
      code: template.code?.(template.example) ?? null,
      link: template.link?.(template.example, { channel, ...context }) ?? null,
      creditor: context.creditor,
    });
    return { ...acceptedMessage, text };
  } catch (error) {
    if (error instanceof SendFailure) throw messageNotSent(error.reason);
    throw error;
  }
}
