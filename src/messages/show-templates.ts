import { HOUR_MS } from '#core/duration.ts';
import { CHANNELS } from './channels/channel.ts';
import type { Writing } from './template.ts';
import { TEMPLATES, type TemplateName, templateOf } from './templates.ts';

/** Every template with its example, as each channel shows it; null: it never goes by that one. */
export function showTemplates(writing: Omit<Writing, 'channel'>) {
  return (Object.keys(TEMPLATES) as TemplateName[]).toSorted().map((name) => {
    const { title, to, isLegal, lifeMs, channels, ...template } = templateOf(name);
    const { example } = template;
    // Of a receiver who is no customer only the phone is known.
    const ways = channels ?? (to === 'customer' ? CHANNELS : ['sms', 'whatsapp']);
    const textFor = (channel: (typeof CHANNELS)[number]) =>
      ways.includes(channel) ? template.text(example, { channel, ...writing }) : null;
    return {
      name,
      title,
      to,
      legal: isLegal,
      life_hours: lifeMs / HOUR_MS,
      subject: template.subject(example),
      whatsapp: textFor('whatsapp'),
      sms: textFor('sms'),
      email: textFor('email'),
      push: textFor('push'),
      link: template.link?.(example, { channel: 'email', ...writing }) ?? null,
      code: template.code?.(example) ?? null,
    };
  });
}
