import type { StaffSchemas } from '#staff-client';
import { PageNotFound } from '../server/kernel.ts';
import type { PersonalPageHandler } from '../server/visit.ts';
import { keepAmountsTogether } from '../text/format.ts';
import { CHANNEL_LABELS } from '../text/labels.ts';
import { Row } from '../ui/components.tsx';
import { WalletPage } from './layout.tsx';

function groupChannelsByText(
  template: StaffSchemas['MessageTemplate'],
): Array<{ channels: string; text: string }> {
  const channelsByText = new Map<string, string[]>();
  for (const [channel, name] of Object.entries(CHANNEL_LABELS)) {
    const text = template[channel as keyof typeof CHANNEL_LABELS];
    if (text !== null) channelsByText.set(text, [...(channelsByText.get(text) ?? []), name]);
  }
  return [...channelsByText].map(([text, names]) => ({ channels: names.join(', '), text }));
}

/** Sandbox only: every message template with example data, as each channel sends it. */
export const templatesPage: PersonalPageHandler = async (visit) => {
  if (!visit.sandbox) throw new PageNotFound();
  const { data: templates } = await visit.sandbox.staff.listMessageTemplates({ query: { limit: 100 } });
  return (
    <WalletPage
      title="Textos das mensagens"
      lead="Tudo o que a Semana diz a clientes e lojas, com dados de exemplo, como cada canal mostra."
    >
      <ul class="rows">
        {templates.map((template) => (
          <Row key={template.name} level={2} title={template.subject}>
            <p class="muted">
              {template.title} · <code>{template.name}</code>
              {template.legal && ' · não pode ser desligada'}
            </p>
            {groupChannelsByText(template).map(({ channels, text }) => (
              <figure key={channels} class="message-sample">
                <figcaption class="muted">{channels}</figcaption>
                <p class="message-text">{keepAmountsTogether(text)}</p>
              </figure>
            ))}
          </Row>
        ))}
      </ul>
    </WalletPage>
  );
};
