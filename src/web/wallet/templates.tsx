import type { Template } from '../server/sandbox.ts';
import type { MakePersonalPage } from '../server/visit.ts';
import { whole } from '../text/format.ts';
import { WalletPage } from './layout.tsx';
import { missingPage } from './notices.tsx';

const CHANNELS = { whatsapp: 'WhatsApp', sms: 'SMS', email: 'E-mail', push: 'Notificação' } as const;

/** Channels that show the same text, together. */
function waysOf(template: Template): Array<{ ways: string; text: string }> {
  const texts = new Map<string, string[]>();
  for (const [channel, name] of Object.entries(CHANNELS)) {
    const text = template[channel as keyof typeof CHANNELS];
    if (text !== null) texts.set(text, [...(texts.get(text) ?? []), name]);
  }
  return [...texts].map(([text, names]) => ({ ways: names.join(', '), text }));
}

/** Sandbox only: every message with an example, as each channel shows it. */
export const templatesPage: MakePersonalPage = async (visit) => {
  if (!visit.sandbox) return missingPage(visit);
  const templates = await visit.sandbox.templates();
  return (
    <WalletPage
      title="Textos das mensagens"
      visit={visit}
      lead="Tudo o que a Semana diz a clientes e lojas, com dados de exemplo, como cada canal mostra."
    >
      <ul class="rows">
        {templates.map((template) => (
          <li key={template.name} class="card row">
            <div class="row-text">
              <h2 class="card-title">{template.subject}</h2>
              <p class="muted">
                {template.title} · <code>{template.name}</code>
                {template.legal && ' · não pode ser desligada'}
              </p>
              {waysOf(template).map(({ ways, text }) => (
                <figure key={ways} class="said">
                  <figcaption class="muted">{ways}</figcaption>
                  <p class="told">{whole(text)}</p>
                </figure>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </WalletPage>
  );
};
