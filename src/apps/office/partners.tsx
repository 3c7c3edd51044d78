import { FieldError } from '../server/submitted-form.ts';
import { defineAction } from './action.tsx';
import { readInstant } from './form-values.ts';
import { DELIVERY_LABELS, formatScopes, WEBHOOK_LABELS } from './labels.ts';
import { RecordLayout } from './layout.tsx';
import { Code, DescriptionList, TableSection, withTitle } from './tables.tsx';
import type { OfficePageHandler } from './visit.ts';

/** How long a replaced key or secret stays valid. */
const OVERLAP_HOURS = 24;

const describeNewKey = ({ key }: { key: string }) => `Guarde agora, porque não é mostrada de novo: ${key}`;

/** The purposes of a key, by its scopes, separated by commas. */
const SCOPE_CHOICES = {
  'public,wallet': 'Site e carteira: catálogo, contatos e clientes',
  public: 'Só o catálogo e os contatos',
  wallet: 'Só a carteira dos clientes',
  merchant: 'O servidor de uma loja',
  till: 'Um balcão: as pessoas das lojas',
};

export const addPartner = defineAction({
  path: '/parceiros/novo',
  operation: 'createPartner',
  title: 'Novo parceiro',
  fields: ['name'],
  button: 'Criar parceiro',
  success: ({ id }) => ({ note: 'Parceiro criado. Falta uma chave.', redirectTo: `/chaves?partner=${id}` }),
});

export const addKey = defineAction({
  path: '/chaves/nova',
  operation: 'createKey',
  title: 'Nova chave',
  async fields(_, { api }) {
    const { data } = await api.listPartners({ query: { limit: 100 } });
    return [
      { name: 'partner', choices: Object.fromEntries(data.map(({ id, name }) => [id, name])) },
      { name: 'scopes', label: 'Para quê', choices: SCOPE_CHOICES },
      { name: 'label', label: 'Anotação', maxLength: 80, optional: true },
      { name: 'merchant', hint: 'Só da chave de uma loja.', optional: true },
      {
        name: 'return_origins',
        label: 'Sites para onde o cliente volta',
        hint: 'Um por linha: https://loja.example.',
        rows: 2,
        optional: true,
      },
    ];
  },
  button: 'Criar chave',
  success: describeNewKey,
});

export const rotateKey = defineAction({
  path: '/chaves/:id/trocar',
  operation: 'rotateKey',
  title: 'Trocar chave',
  backPath: '/chaves',
  renderImpact: (_, { params }) => (
    <p>
      Faz uma chave nova igual a <Code>{params.id}</Code>. A de agora vale ainda por 24 horas.
    </p>
  ),
  button: 'Fazer a nova',
  body: () => ({ overlap_hours: OVERLAP_HOURS }),
  success: describeNewKey,
});

export const revokeKey = defineAction({
  path: '/chaves/:id/encerrar',
  operation: 'revokeKey',
  title: 'Encerrar chave',
  backPath: '/chaves',
  renderImpact: (_, { params }) => (
    <p>
      A chave <Code>{params.id}</Code> deixa de valer em um segundo, em todos os servidores. Não há volta.
    </p>
  ),
  button: 'Encerrar',
  success: 'Chave encerrada.',
});

export const keyPage: OfficePageHandler = async (visit) => {
  const { api, params } = visit;
  // The API has no call that returns a single key.
  const { data } = await api.listKeys({ query: { q: params.id! } });
  const key = data.find(({ id }) => id === params.id);
  if (!key) return { redirectTo: '/chaves' };
  return (
    <RecordLayout
      title="Chave"
      heading={`Chave de ${key.partner.name}`}
      visit={visit}
      actions={!key.revoked_at && [rotateKey, revokeKey]}
    >
      <DescriptionList
        record={key}
        rows={[
          'hint',
          ['Para quê', key.label || 'não diz'],
          ['Alcance', formatScopes(key.scopes)],
          withTitle('merchant', 'Loja', { emptyText: 'nenhuma' }),
          withTitle('created_at', 'Criada'),
          'last_used_at',
          withTitle('expires_at', 'Vale até', { emptyText: 'ser encerrada' }),
          withTitle('revoked_at', 'Encerrada', { emptyText: 'não' }),
          ['Sites de volta', key.return_origins.join(', ') || 'nenhum'],
        ]}
      />
    </RecordLayout>
  );
};

const WEBHOOK_PATH = '/webhooks/:id';

export const addWebhook = defineAction({
  path: '/webhooks/novo',
  operation: 'createWebhook',
  title: 'Novo webhook',
  fields: [
    { name: 'partner', label: 'Parceiro (id ou nome)', maxLength: 120 },
    { name: 'url', hint: 'https://', maxLength: 500 },
    { name: 'events', hint: 'Um por linha, como checkout.paid. Em branco: todos.', rows: 3, optional: true },
    { name: 'merchant', hint: 'De um parceiro com chave de loja.', optional: true },
  ],
  button: 'Criar webhook',
  success: ({ id, secret }) => ({
    note: `Segredo, mostrado só agora: ${secret}`,
    redirectTo: `/webhooks/${id}`,
  }),
});

export const enableWebhook = defineAction({
  path: `${WEBHOOK_PATH}/ligar`,
  operation: 'enableWebhook',
  title: 'Ligar',
  success: 'Webhook ligado.',
});

export const disableWebhook = defineAction({
  path: `${WEBHOOK_PATH}/desligar`,
  operation: 'disableWebhook',
  title: 'Desligar',
  success: 'Webhook desligado.',
});

export const testWebhook = defineAction({
  path: `${WEBHOOK_PATH}/testar`,
  operation: 'testWebhook',
  title: 'Testar',
  button: 'Enviar um evento de teste',
  success: ({ status }) => `Evento de teste: ${DELIVERY_LABELS[status].toLowerCase()}.`,
});

export const replayEvents = defineAction({
  path: `${WEBHOOK_PATH}/repetir`,
  operation: 'replayWebhook',
  title: 'Entregar de novo',
  description:
    'Os eventos vão de novo, com o mesmo id: quem recebe sabe que são os mesmos. Diga um dos dois.',
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
  async run({ api, params }, form) {
    const [since, event] = [readInstant(form, 'since'), form.readText('event')];
    if (!event && !since) throw new FieldError('since', 'Diga desde quando, ou qual evento.');
    const body = event ? { event } : { since: since! };
    const { replayed } = await api.replayWebhook({ path: { id: params.id! }, body });
    return replayed === 1 ? '1 evento vai de novo.' : `${replayed} eventos vão de novo.`;
  },
});

export const rotateSecret = defineAction({
  path: `${WEBHOOK_PATH}/segredo`,
  operation: 'rotateWebhookSecret',
  title: 'Trocar o segredo',
  description: 'Por 24 horas as entregas têm uma assinatura de cada segredo.',
  body: () => ({ overlap_hours: OVERLAP_HOURS }),
  success: ({ secret }) => `Segredo novo, mostrado só agora: ${secret}`,
});

export const webhookPage: OfficePageHandler = async (visit) => {
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
      actions={[testWebhook, replayEvents, rotateSecret, isOn ? disableWebhook : enableWebhook]}
    >
      <DescriptionList
        record={webhook}
        rows={[
          'url',
          'partner',
          'status',
          ['Eventos', webhook.events.join(', ') || 'todos'],
          'failing_since',
          webhook.disabled_reason && withTitle('disabled_reason', 'Por que está desligado'),
        ]}
        labels={{ status: WEBHOOK_LABELS }}
        emptyTexts={{ failing_since: 'não falha' }}
      />
      <TableSection
        title="Entregas"
        rows={deliveries.data}
        columns={[
          withTitle('type', 'Evento'),
          withTitle('event', 'Id'),
          'occurred_at',
          'status',
          'tries',
          {
            title: 'Última resposta',
            render: ({ attempts }) => {
              const lastAttempt = attempts.at(-1);
              return lastAttempt ? (lastAttempt.status ?? lastAttempt.error) : '';
            },
          },
        ]}
        labels={{ status: DELIVERY_LABELS }}
      />
    </RecordLayout>
  );
};
