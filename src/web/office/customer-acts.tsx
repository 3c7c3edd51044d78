import type { Sent } from '../server/visit.ts';
import { showPhone, whole } from '../ui/format.ts';
import { type Act, ActLinks, doneOrWaits, reason } from './act.tsx';
import { amountIn } from './amounts.ts';
import { OfficeLayout } from './layout.tsx';
import { CASHBACK, CHARGE, PURCHASE } from './lists/names.ts';
import { Code, Facts, Money, OnDay, Section, Status, Table, When } from './parts.tsx';
import type { MakeOfficePage } from './visit.ts';

const PATH = '/clientes/:id';

const reasonIn = (sent: Sent) => (sent.text('reason') ? { reason: sent.text('reason') } : {});

const lock: Act = {
  path: `${PATH}/bloquear`,
  call: 'lockCustomer',
  title: 'Bloquear',
  back: PATH,
  figures: async () => <p>O cliente sai de todos os aparelhos e não entra mais até ser desbloqueado.</p>,
  fields: [reason],
  button: 'Bloquear',
  async run({ api, params }, sent) {
    await api.lockCustomer({ path: { id: params.id! }, body: reasonIn(sent) });
    return 'Cliente bloqueado. Para desfazer, use Desbloquear.';
  },
};

const unlock: Act = {
  path: `${PATH}/desbloquear`,
  call: 'unlockCustomer',
  title: 'Desbloquear',
  back: PATH,
  figures: async () => <p>O cliente volta a entrar. Senhas e códigos errados deixam de contar.</p>,
  fields: [reason],
  button: 'Desbloquear',
  async run({ api, params }, sent) {
    await api.unlockCustomer({ path: { id: params.id! }, body: reasonIn(sent) });
    return 'Cliente desbloqueado.';
  },
};

const limit: Act = {
  path: `${PATH}/limite`,
  call: 'changeCustomer',
  least: 'finance',
  title: 'Mudar limite',
  back: PATH,
  async figures({ api, params }) {
    const { credit } = await api.getCustomer({ path: { id: params.id! } });
    return (
      <Facts
        of={[
          ['Limite', <Money key="l" of={credit.limit} />],
          ['Em uso', <Money key="u" of={credit.used} />],
          ['Disponível', <Money key="a" of={credit.available} />],
        ]}
      />
    );
  },
  fields: [{ name: 'credit_limit', label: 'Novo limite, em reais', mask: 'money' }, reason],
  button: 'Mudar limite',
  async run({ api, params }, sent) {
    const body = { credit_limit: amountIn(sent, 'credit_limit'), ...reasonIn(sent) };
    return doneOrWaits(
      await api.call('changeCustomer', { path: { id: params.id! }, body }),
      'Limite mudado.',
    );
  },
};

const contact: Act = {
  path: `${PATH}/contato`,
  call: 'changeCustomer',
  title: 'Mudar contato',
  back: PATH,
  async fields({ api, params }) {
    const { name, email, phone } = await api.getCustomer({ path: { id: params.id! } });
    return [
      { name: 'name', label: 'Nome', value: name, maxLength: 120 },
      { name: 'email', label: 'E-mail', type: 'email', value: email, maxLength: 254 },
      {
        name: 'phone',
        label: 'Celular',
        hint: 'Um novo conta depois de 24 horas, e o antigo é avisado.',
        value: showPhone(phone),
        type: 'tel',
      },
      reason,
    ];
  },
  button: 'Mudar',
  async run({ api, params }, sent) {
    const path = { id: params.id! };
    const now = await api.getCustomer({ path });
    const changed = (name: 'name' | 'email' | 'phone', shown: string) =>
      sent.text(name) && sent.text(name) !== shown ? { [name]: sent.text(name) } : {};
    const body = {
      ...changed('name', now.name),
      ...changed('email', now.email),
      ...changed('phone', showPhone(now.phone)),
    };
    if (Object.keys(body).length === 0) return 'Nada mudou.';
    await api.changeCustomer({ path, body: { ...body, ...reasonIn(sent) } });
    return 'Contato mudado.';
  },
};

const adjust: Act = {
  path: `${PATH}/cashback`,
  call: 'adjustCashback',
  title: 'Ajustar cashback',
  back: PATH,
  async figures({ api, params }) {
    const { available, pending } = await api.getCashbackOfCustomer({ path: { id: params.id! } });
    return (
      <Facts
        of={[
          ['Disponível', <Money key="a" of={available} />],
          ['A liberar', <Money key="p" of={pending} />],
        ]}
      />
    );
  },
  fields: [{ name: 'amount', label: 'Valor', hint: 'Com sinal de menos para tirar: -5,00.' }, reason],
  button: 'Ajustar',
  async run({ api, params, idempotencyKey }, sent) {
    const body = { amount: amountIn(sent, 'amount'), reason: sent.text('reason') };
    const given = { path: { id: params.id! }, body, idempotencyKey };
    return doneOrWaits(await api.call('adjustCashback', given), 'Cashback ajustado.');
  },
};

const erase: Act = {
  path: `${PATH}/apagar`,
  call: 'eraseCustomer',
  title: 'Apagar dados',
  back: PATH,
  figures: async () => (
    <p>
      <b>Não há volta.</b> Nome, telefone, CPF e e-mail são apagados; as contas continuam fechando. Só é
      possível sem nada em aberto.
    </p>
  ),
  fields: [reason],
  button: 'Apagar para sempre',
  async run({ api, params }, sent) {
    await api.eraseCustomer({ path: { id: params.id! }, body: { reason: sent.text('reason') } });
    return 'Dados apagados.';
  },
};

export const CUSTOMER_ACTS: readonly Act[] = [lock, unlock, limit, contact, adjust, erase];

export const customerPage: MakeOfficePage = async (visit) => {
  const { api, params } = visit;
  const path = { id: params.id! };
  const query = { customer: path.id, limit: 10 };
  const [customer, purchases, payments, charges, story, cashback, trail] = await Promise.all([
    api.getCustomer({ path }),
    api.listCheckoutsOfAll({ query }),
    api.listPixPaymentItems({ query }),
    api.listPixCharges({ query }),
    api.getCustomerStory({ path, query: { limit: 50 } }),
    api.getCashbackOfCustomer({ path }),
    api.listCashbackOfAll({ query }),
  ]);
  const { credit, locked_at, erased_at, phone_change } = customer;
  const owed = purchases.data.filter(({ amounts }) => amounts.total_due > 0);
  return {
    body: (
      <OfficeLayout
        title="Cliente"
        heading={customer.name}
        visit={visit}
        crumbs={[{ href: '/clientes', text: 'Clientes' }]}
        actions={
          !erased_at && (
            <ActLinks visit={visit} acts={[locked_at ? unlock : lock, limit, contact, adjust, erase]} />
          )
        }
      >
        {locked_at && (
          <p class="note warn" role="status">
            Bloqueado desde <When at={locked_at} />.
          </p>
        )}
        {phone_change && (
          <p class="note warn" role="status">
            Troca de celular para {showPhone(phone_change.phone)}, que conta em{' '}
            <When at={phone_change.counts_at} />.
          </p>
        )}
        <Facts
          of={[
            ['Celular', showPhone(customer.phone)],
            ['E-mail', customer.email],
            ['CPF', customer.cpf],
            ['Cadastro', <When key="c" at={customer.created_at} />],
            ['Limite', <Money key="l" of={credit.limit} />],
            ['Em uso', <Money key="u" of={credit.used} />],
            ['Disponível', <Money key="d" of={credit.available} />],
            ['Cashback', <Money key="b" of={cashback.available} />],
            ['Convite', customer.referral_code],
            ['Id', <Code key="i">{customer.id}</Code>],
          ]}
        />
        <Section title="O que deve agora">
          <Table
            caption="O que deve agora"
            rows={owed}
            empty="Nada."
            open={({ hash }) => `/compras/${hash}`}
            columns={[
              { title: 'Compra', show: ({ merchant }) => merchant.name },
              { title: 'Situação', show: ({ status }) => <Status of={status} names={PURCHASE} /> },
              {
                title: 'Principal',
                isNumber: true,
                show: ({ amounts }) => <Money of={amounts.outstanding} />,
              },
              {
                title: 'Multa e juros',
                isNumber: true,
                show: ({ amounts }) => <Money of={amounts.penalties} />,
              },
              { title: 'Total', isNumber: true, show: ({ amounts }) => <Money of={amounts.total_due} /> },
            ]}
          />
        </Section>
        <Section title="Compras" more={{ href: `/compras?customer=${path.id}`, text: 'Todas' }}>
          <Table
            caption="Compras"
            rows={purchases.data}
            open={({ hash }) => `/compras/${hash}`}
            columns={[
              { title: 'Loja', show: ({ merchant }) => merchant.name },
              { title: 'Situação', show: ({ status }) => <Status of={status} names={PURCHASE} /> },
              { title: 'Financiado', isNumber: true, show: ({ amounts }) => <Money of={amounts.financed} /> },
              { title: 'Próxima', show: ({ next_due_on }) => <OnDay day={next_due_on} /> },
              { title: 'Comprada', show: ({ purchased_at }) => <When at={purchased_at} /> },
            ]}
          />
        </Section>
        <Section title="Pagamentos" more={{ href: `/pagamentos?customer=${path.id}`, text: 'Todos' }}>
          <Table
            caption="Pagamentos"
            rows={payments.data}
            open={({ end_to_end_id }) => `/pagamentos/${end_to_end_id}`}
            columns={[
              { title: 'PIX', show: ({ end_to_end_id }) => <Code>{end_to_end_id}</Code> },
              { title: 'Valor', isNumber: true, show: ({ value }) => <Money of={value} /> },
              { title: 'Pago', show: ({ paid_at }) => <When at={paid_at} /> },
            ]}
          />
        </Section>
        <Section title="Cobranças" more={{ href: `/cobrancas?customer=${path.id}`, text: 'Todas' }}>
          <Table
            caption="Cobranças"
            rows={charges.data}
            columns={[
              { title: 'Txid', show: ({ txid }) => <Code>{txid}</Code> },
              { title: 'Situação', show: ({ status }) => <Status of={status} names={CHARGE} /> },
              { title: 'Valor', isNumber: true, show: ({ value }) => <Money of={value} /> },
              { title: 'Criada', show: ({ created_at }) => <When at={created_at} /> },
            ]}
          />
        </Section>
        <Section title="Cashback" more={{ href: `/cashback?customer=${path.id}`, text: 'Todo' }}>
          <Table
            caption="Cashback"
            rows={trail.data}
            columns={[
              { title: 'Quando', show: ({ occurred_at }) => <When at={occurred_at} /> },
              { title: 'Tipo', show: ({ kind }) => <Status of={kind} names={CASHBACK} /> },
              { title: 'Valor', isNumber: true, show: ({ amount }) => <Money of={amount} /> },
              { title: 'Descrição', show: ({ description }) => description },
            ]}
          />
        </Section>
        <Section
          title="Linha do tempo"
          more={{ href: `/trilha?subject=customer:${path.id}`, text: 'Trilha' }}
        >
          <ol class="office-story">
            {story.data.map(({ at, text, checkout_hash }) => (
              <li key={at + text}>
                <When at={at} />
                <span>
                  {checkout_hash ? <a href={`/compras/${checkout_hash}`}>{whole(text)}</a> : whole(text)}
                </span>
              </li>
            ))}
          </ol>
        </Section>
      </OfficeLayout>
    ),
  };
};
