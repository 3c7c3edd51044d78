import { HOUR_MS } from '#core/values/duration.ts';
import { getTitleInSentence } from '#core/values/message-titles.ts';
import { CHANNELS } from './channels/channel.ts';
import type { RenderContext } from './template.ts';
import { getTemplate, TEMPLATES, type TemplateName } from './templates.ts';

/** Renders the example of every template for each channel; null if the template does not use the channel. */
export function renderTemplates(context: Omit<RenderContext, 'channel'>) {
  return (Object.keys(TEMPLATES) as TemplateName[]).toSorted().map((name) => {
    const { recipient, isLegal, ttlMs, channels, ...template } = getTemplate(name);
    const { example } = template;
    // Only the phone is known of a recipient who is not a customer.
    const usedChannels = channels ?? (recipient === 'customer' ? CHANNELS : ['sms', 'whatsapp']);
    const renderText = (channel: (typeof CHANNELS)[number]) =>
      usedChannels.includes(channel) ? template.text(example, { channel, ...context }) : null;
    return {
      name,
      title: getTitleInSentence(name),
      to: recipient,
      legal: isLegal,
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
