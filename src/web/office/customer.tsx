import { inReais, showPhone, whole } from '../ui/format.ts';
import { ActLinks } from './act.tsx';
import {
  adjust,
  cancelPhone,
  confirmPhone,
  contact,
  endSession,
  endSessions,
  erase,
  limit,
  lock,
  note,
  unlock,
} from './customer-acts.tsx';
import { OfficeLayout } from './layout.tsx';
import { Turn } from './list.tsx';
import { CASHBACK, CHARGE, OFFER, OUTCOME, PURCHASE, reasonOf } from './lists/names.ts';
import { messageColumns } from './message-columns.tsx';
import { Code, day, Facts, Money, moment, money, Section, Status, Table, When } from './parts.tsx';
import { mayCall } from './staff/client.ts';
import type { MakeOfficePage } from './visit.ts';

export const customerPage: MakeOfficePage = async (visit) => {
  const { api, params, who } = visit;
  const path = { id: params.id! };
  const query = { customer: path.id, limit: 10 };
  const at = Math.max(1, Math.floor(Number(visit.search.get('historia')) || 1));
  const [customer, purchases, owed, decisions, payments, charges, story, cashback, trail, ...others] =
    await Promise.all([
      api.getCustomer({ path }),
      api.listCheckoutsOfAll({ query }),
      api.getOwedByCustomer({ path }),
      api.listCreditDecisions({ query: { customer: path.id, limit: 1 } }),
      api.listPixPaymentItems({ query }),
      api.listPixCharges({ query }),
      api.getCustomerStory({ path, query: { limit: 50, page: at } }),
      api.getCashbackOfCustomer({ path }),
      api.listCashbackOfAll({ query }),
      api.listOffersOfAll({ query }),
      api.listCustomerNotes({ path, query: { limit: 20 } }),
      api.listCustomerSessions({ path }),
      api.listStaffMessages({ query }),
    ]);
  const [offers, notes, sessions, messages] = others;
  const { credit, locked_at, erased_at, phone_change } = customer;
  const [decision] = decisions.data;
  return {
    body: (
      <OfficeLayout
        title="Cliente"
        heading={customer.name}
        visit={visit}
        crumbs={[{ href: '/clientes', text: 'Clientes' }]}
        actions={
          !erased_at && (
            <>
              <ActLinks
                visit={visit}
                acts={[note, locked_at ? unlock : lock, limit, contact, adjust, erase]}
              />
              {mayCall(who!.role, 'exportCustomer') && (
                <a class="button small quiet" href={`/clientes/${path.id}/dados.json`} download>
                  Exportar dados
                </a>
              )}
            </>
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
            <When at={phone_change.counts_at} />.{' '}
            <ActLinks visit={visit} acts={[confirmPhone, cancelPhone]} />
          </p>
        )}
        <Facts
          of={[
            ['Celular', showPhone(customer.phone)],
            ['E-mail', customer.email],
            ['CPF', customer.cpf],
            ['Cadastro', <When key="c" at={customer.created_at} />],
            ['Limite', <Money key="l" of={credit.limit} />],
            decision && [
              'Por quê',
              <a key="q" href={`/decisoes/${decision.id}`}>
                {decision.reasons.map(reasonOf).join('; ') || OUTCOME[decision.outcome]}
              </a>,
            ],
            ['Em uso', <Money key="u" of={credit.used} />],
            ['Disponível', <Money key="d" of={credit.available} />],
            ['Cashback', <Money key="b" of={cashback.available} />],
            ['Convite', customer.referral_code],
            ['Id', <Code key="i">{customer.id}</Code>],
          ]}
        />
        <Section title="Anotações">
          {notes.data.length === 0 && <p class="empty">Nenhuma.</p>}
          <ol class="office-notes">
            {notes.data.map(({ id, text, author_name, written_at }) => (
              <li key={id}>
                <p class="office-text">{text}</p>
                <p class="muted">
                  {author_name}, <When at={written_at} />
                </p>
              </li>
            ))}
          </ol>
        </Section>
        <Section title="O que deve agora">
          <Table
            caption="O que deve agora"
            rows={owed.installments}
            empty="Nada."
            open={({ checkout_hash }) => `/compras/${checkout_hash}`}
            columns={[
              { title: 'Compra', show: ({ merchant }) => merchant.name },
              { title: 'Parcela', isNumber: true, show: ({ number }) => number },
              day('Vence', 'due_on'),
              {
                title: 'Situação',
                show: ({ status, written_off }) => (
                  <>
                    <Status of={status} names={PURCHASE} />
                    {written_off && ' baixada'}
                  </>
                ),
              },
              money('Principal', 'outstanding'),
              money('Multa', 'fine'),
              money('Juros', 'interest'),
              money('Total', 'total_due'),
            ]}
          />
          {owed.total_due > 0 && (
            <p>
              Em todas: {inReais(owed.outstanding)} de principal, {inReais(owed.penalties)} de multa e juros,{' '}
              <b>{inReais(owed.total_due)}</b> no total.
            </p>
          )}
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
              day('Próxima', 'next_due_on'),
              moment('Comprada', 'purchased_at'),
            ]}
          />
        </Section>
        <Section title="Ofertas" more={{ href: `/ofertas?customer=${path.id}`, text: 'Todas' }}>
          <Table
            caption="Ofertas"
            rows={offers.data}
            open={({ id }) => `/ofertas/${id}`}
            columns={[
              { title: 'Loja', show: ({ merchant }) => merchant.name },
              { title: 'Situação', show: ({ status }) => <Status of={status} names={OFFER} /> },
              money('Valor', 'amount'),
              moment('Feita', 'created_at'),
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
              money('Valor', 'value'),
              moment('Pago', 'paid_at'),
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
              money('Valor', 'value'),
              moment('Criada', 'created_at'),
            ]}
          />
        </Section>
        <Section title="Cashback" more={{ href: `/cashback?customer=${path.id}`, text: 'Todo' }}>
          <Table
            caption="Cashback"
            rows={trail.data}
            columns={[
              moment('Quando', 'occurred_at'),
              { title: 'Tipo', show: ({ kind }) => <Status of={kind} names={CASHBACK} /> },
              money('Valor', 'amount'),
              { title: 'Descrição', show: ({ description }) => description },
            ]}
          />
        </Section>
        <Section title="Mensagens" more={{ href: `/mensagens?customer=${path.id}`, text: 'Todas' }}>
          <Table caption="Mensagens" rows={messages.data} columns={messageColumns(visit)} />
        </Section>
        <Section title="Sessões abertas">
          <Table
            caption="Sessões abertas"
            rows={sessions.data}
            empty="Nenhuma."
            columns={[
              moment('Desde', 'created_at'),
              moment('Em uso', 'refreshed_at'),
              {
                title: 'Ação',
                show: ({ id }) => (
                  <ActLinks visit={{ ...visit, params: { ...params, session: id } }} acts={[endSession]} />
                ),
              },
            ]}
          />
          {sessions.data.length > 1 && (
            <div class="actions office-bulk">
              <ActLinks visit={visit} acts={[endSessions]} />
            </div>
          )}
        </Section>
        <Section
          title="Linha do tempo"
          more={{ href: `/trilha?subject=customer:${path.id}`, text: 'Trilha' }}
        >
          <ol class="office-story" id="historia">
            {story.data.map(({ at, text, checkout_hash }) => (
              <li key={at + text}>
                <When at={at} />
                <span>
                  {checkout_hash ? <a href={`/compras/${checkout_hash}`}>{whole(text)}</a> : whole(text)}
                </span>
              </li>
            ))}
          </ol>
          <Turn
            of={story.pagination}
            address={({ page }) => `/clientes/${path.id}?historia=${page}#historia`}
          />
        </Section>
      </OfficeLayout>
    ),
  };
};
