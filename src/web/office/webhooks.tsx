import { act } from './act.tsx';
import { moment, number, state, text } from './columns.tsx';
import { DELIVERY, WEBHOOK } from './lists/names.ts';
import { RecordLayout } from './record.tsx';
import type { StaffSchemas } from './staff/client.ts';
import { Facts, TableSection } from './tables.tsx';
import { filled, instantIn, typed, wordsIn } from './typed.ts';
import type { MakeOfficePage } from './visit.ts';
import { FieldFault } from './words.ts';

const PATH = '/webhooks/:id';

export const addWebhook = act({
  path: '/webhooks/novo',
  call: 'createWebhook',
  title: 'Novo webhook',
  fields: [
    { name: 'partner', label: 'Parceiro (id ou nome)', maxLength: 120 },
    { name: 'url', label: 'Endereço', hint: 'https://', maxLength: 500 },
    {
      name: 'events',
      label: 'Eventos',
      hint: 'Um por linha, como checkout.paid. Em branco: todos.',
      rows: 3,
      optional: true,
    },
    { name: 'merchant', label: 'Loja (endereço)', hint: 'De um parceiro com chave de loja.', optional: true },
  ],
  button: 'Criar webhook',
  body(sent) {
    const events = wordsIn(sent, 'events') as StaffSchemas['WebhookOrder']['events'] & {};
    return {
      ...typed(sent, 'partner', 'url'),
      ...(events.length > 0 && { events }),
      ...filled(sent, 'merchant'),
    };
  },
  done: ({ id, secret }) => ({ note: `Segredo, mostrado só agora: ${secret}`, to: `/webhooks/${id}` }),
});

export const turnOn = act({
  path: `${PATH}/ligar`,
  call: 'enableWebhook',
  title: 'Ligar',
  done: 'Webhook ligado.',
});

export const turnOff = act({
  path: `${PATH}/desligar`,
  call: 'disableWebhook',
  title: 'Desligar',
  done: 'Webhook desligado.',
});

export const tryOut = act({
  path: `${PATH}/testar`,
  call: 'testWebhook',
  title: 'Testar',
  button: 'Enviar um evento de teste',
  done: ({ status }) => `Evento de teste: ${DELIVERY[status].toLowerCase()}.`,
});

export const replay = act({
  path: `${PATH}/repetir`,
  call: 'replayWebhook',
  title: 'Entregar de novo',
  says: 'Os eventos vão de novo, com o mesmo id: quem recebe sabe que são os mesmos. Diga um dos dois.',
  fields: [
    {
      name: 'since',
      label: 'Todos desde',
      hint: 'Hora de São Paulo.',
      type: 'datetime-local',
      optional: true,
    },
    { name: 'event', label: 'Ou só o evento', hint: 'O id dele.', optional: true, maxLength: 60 },
  ],
  async run({ api, params }, sent) {
    const [since, event] = [instantIn(sent, 'since'), sent.text('event')];
    if (!event && !since) throw new FieldFault('since', 'Diga desde quando, ou qual evento.');
    const body = event ? { event } : { since: since! };
    const { replayed } = await api.replayWebhook({ path: { id: params.id! }, body });
    return replayed === 1 ? '1 evento vai de novo.' : `${replayed} eventos vão de novo.`;
  },
});

export const rotateSecret = act({
  path: `${PATH}/segredo`,
  call: 'rotateWebhookSecret',
  title: 'Trocar o segredo',
  says: 'Por 24 horas as entregas têm uma assinatura de cada segredo.',
  body: () => ({ overlap_hours: 24 }),
  done: ({ secret }) => `Segredo novo, mostrado só agora: ${secret}`,
});

export const webhookPage: MakeOfficePage = async (visit) => {
  const { api, params } = visit;
  const path = { id: params.id! };
  const [webhook, deliveries] = await Promise.all([
    api.getWebhook({ path }),
    api.listWebhookDeliveries({ path, query: { limit: 50 } }),
  ]);
  const isOn = webhook.status === 'enabled';
  return (
    <RecordLayout
      title="Webhook"
      visit={visit}
      acts={[tryOut, replay, rotateSecret, isOn ? turnOff : turnOn]}
    >
      <Facts
        of={webhook}
        are={[
          text('Endereço', 'url'),
          text('Parceiro', 'partner'),
          state('Situação', 'status', WEBHOOK),
          ['Eventos', webhook.events.join(', ') || 'todos'],
          moment('Falha desde', 'failing_since', 'não falha'),
          webhook.disabled_reason && text('Por que está desligado', 'disabled_reason'),
        ]}
      />
      <TableSection
        title="Entregas"
        rows={deliveries.data}
        columns={[
          text('Evento', 'type'),
          text('Id', 'event'),
          moment('Quando', 'occurred_at'),
          state('Situação', 'status', DELIVERY),
          number('Tentativas', 'tries'),
          {
            title: 'Última resposta',
            show: ({ attempts }) => {
              const last = attempts.at(-1);
              return last ? (last.status ?? last.error) : '';
            },
          },
        ]}
      />
    </RecordLayout>
  );
};
