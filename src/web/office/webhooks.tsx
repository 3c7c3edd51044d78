import { type Act, ActLinks } from './act.tsx';
import { instantIn } from './content.tsx';
import { OfficeLayout } from './layout.tsx';
import { DELIVERY, WEBHOOK } from './lists/names.ts';
import { Facts, moment, Section, Status, Table, When } from './parts.tsx';
import type { StaffSchemas } from './staff/client.ts';
import type { MakeOfficePage } from './visit.ts';
import { FieldFault } from './words.ts';

const PATH = '/webhooks/:id';

const add: Act = {
  path: '/webhooks/novo',
  call: 'createWebhook',
  title: 'Novo webhook',
  back: '/webhooks',
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
    {
      name: 'merchant',
      label: 'Loja (endereço)',
      hint: 'De um parceiro com chave de loja.',
      optional: true,
    },
  ],
  button: 'Criar webhook',
  async run({ api, idempotencyKey }, sent) {
    const events = sent
      .text('events')
      .split(/[\s,]+/)
      .filter(Boolean);
    const body = {
      partner: sent.text('partner'),
      url: sent.text('url'),
      ...(events.length > 0 && { events: events as StaffSchemas['WebhookOrder']['events'] & {} }),
      ...(sent.text('merchant') && { merchant: sent.text('merchant') }),
    };
    const { id, secret } = await api.createWebhook({ body, idempotencyKey });
    return { note: `Segredo, mostrado só agora: ${secret}`, to: `/webhooks/${id}` };
  },
};

const turn = (to: 'on' | 'off'): Act => ({
  path: `${PATH}/${to === 'on' ? 'ligar' : 'desligar'}`,
  call: to === 'on' ? 'enableWebhook' : 'disableWebhook',
  title: to === 'on' ? 'Ligar' : 'Desligar',
  back: PATH,
  button: to === 'on' ? 'Ligar' : 'Desligar',
  async run({ api, params }) {
    const path = { id: params.id! };
    await (to === 'on' ? api.enableWebhook({ path }) : api.disableWebhook({ path }));
    return to === 'on' ? 'Webhook ligado.' : 'Webhook desligado.';
  },
});
const [turnOn, turnOff] = [turn('on'), turn('off')];

const tryOut: Act = {
  path: `${PATH}/testar`,
  call: 'testWebhook',
  title: 'Testar',
  back: PATH,
  button: 'Enviar um evento de teste',
  async run({ api, params }) {
    const { status } = await api.testWebhook({ path: { id: params.id! } });
    return `Evento de teste: ${DELIVERY[status].toLowerCase()}.`;
  },
};

const replay: Act = {
  path: `${PATH}/repetir`,
  call: 'replayWebhook',
  title: 'Entregar de novo',
  back: PATH,
  figures: async () => (
    <p>Os eventos vão de novo, com o mesmo id: quem recebe sabe que são os mesmos. Diga um dos dois.</p>
  ),
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
  button: 'Entregar de novo',
  async run({ api, params }, sent) {
    const [since, event] = [instantIn(sent, 'since'), sent.text('event')];
    if (!event && !since) throw new FieldFault('since', 'Diga desde quando, ou qual evento.');
    const body = event ? { event } : { since: since! };
    const { replayed } = await api.replayWebhook({ path: { id: params.id! }, body });
    return replayed === 1 ? '1 evento vai de novo.' : `${replayed} eventos vão de novo.`;
  },
};

const rotate: Act = {
  path: `${PATH}/segredo`,
  call: 'rotateWebhookSecret',
  title: 'Trocar o segredo',
  back: PATH,
  figures: async () => <p>Por 24 horas as entregas têm uma assinatura de cada segredo.</p>,
  button: 'Trocar o segredo',
  async run({ api, params, idempotencyKey }) {
    const path = { id: params.id! };
    const { secret } = await api.rotateWebhookSecret({ path, body: { overlap_hours: 24 }, idempotencyKey });
    return `Segredo novo, mostrado só agora: ${secret}`;
  },
};

export const WEBHOOK_ACTS: readonly Act[] = [add, turnOn, turnOff, tryOut, replay, rotate];

export const webhookPage: MakeOfficePage = async (visit) => {
  const { api, params } = visit;
  const path = { id: params.id! };
  const [webhook, deliveries] = await Promise.all([
    api.getWebhook({ path }),
    api.listWebhookDeliveries({ path, query: { limit: 50 } }),
  ]);
  const isOn = webhook.status === 'enabled';
  return {
    body: (
      <OfficeLayout
        title="Webhook"
        visit={visit}
        crumbs={[{ href: '/webhooks', text: 'Webhooks' }]}
        actions={<ActLinks visit={visit} acts={[tryOut, replay, rotate, isOn ? turnOff : turnOn]} />}
      >
        <Facts
          of={[
            ['Endereço', webhook.url],
            ['Parceiro', webhook.partner],
            ['Situação', <Status key="s" of={webhook.status} names={WEBHOOK} />],
            ['Eventos', webhook.events.join(', ') || 'todos'],
            [
              'Falha desde',
              webhook.failing_since ? <When key="f" at={webhook.failing_since} /> : 'não falha',
            ],
            webhook.disabled_reason ? ['Por que está desligado', webhook.disabled_reason] : undefined,
          ]}
        />
        <Section title="Entregas">
          <Table
            caption="Entregas"
            rows={deliveries.data}
            columns={[
              { title: 'Evento', show: ({ type }) => type },
              { title: 'Id', show: ({ event }) => event },
              moment('Quando', 'occurred_at'),
              { title: 'Situação', show: ({ status }) => <Status of={status} names={DELIVERY} /> },
              { title: 'Tentativas', isNumber: true, show: ({ tries }) => tries },
              {
                title: 'Última resposta',
                show: ({ attempts }) => {
                  const last = attempts.at(-1);
                  return last ? (last.status ?? last.error) : '';
                },
              },
            ]}
          />
        </Section>
      </OfficeLayout>
    ),
  };
};
