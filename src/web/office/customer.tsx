import { inReais, showPhone, whole } from '../text/format.ts';
import { ActLinks } from './act.tsx';
import { code, day, moment, money, number, state, text } from './columns.tsx';
import * as acts from './customer-acts.tsx';
import { pageIn, Turn } from './list.tsx';
import { CASHBACK, CHARGE, OFFER, OUTCOME, PURCHASE, reasonOf } from './lists/names.ts';
import { messageColumns } from './message-columns.tsx';
import { Money, Status, When } from './parts.tsx';
import { RecordLayout } from './record.tsx';
import { mayCall } from './staff/client.ts';
import { Facts, Section, TableSection } from './tables.tsx';
import type { MakeOfficePage } from './visit.ts';

export const customerPage: MakeOfficePage = async (visit) => {
  const { api, params, who } = visit;
  const path = { id: params.id! };
  const query = { customer: path.id, limit: 10 };
  const at = pageIn(visit.search, 'historia');
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
  const { locked_at, phone_change } = customer;
  const [decision] = decisions.data;
  const all = (list: string, text = 'Todas') => ({ href: `/${list}?customer=${path.id}`, text });
  return (
    <RecordLayout
      title="Cliente"
      heading={customer.name}
      visit={visit}
      acts={
        !customer.erased_at && [
          acts.note,
          locked_at ? acts.unlock : acts.lock,
          acts.limit,
          acts.contact,
          acts.adjust,
          acts.erase,
        ]
      }
      action={
        mayCall(who!.role, 'exportCustomer') && (
          <a class="button small quiet" href={`/clientes/${path.id}/dados.json`} download>
            Exportar dados
          </a>
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
          <ActLinks visit={visit} acts={[acts.confirmPhone, acts.cancelPhone]} />
        </p>
      )}
      <Facts
        of={customer}
        are={[
          ['Celular', showPhone(customer.phone)],
          text('E-mail', 'email'),
          text('CPF', 'cpf'),
          moment('Cadastro', 'created_at'),
          money('Limite', 'credit.limit'),
          decision && [
            'Por quê',
            decision.reasons.map(reasonOf).join('; ') || OUTCOME[decision.outcome],
            `/decisoes/${decision.id}`,
          ],
          money('Em uso', 'credit.used'),
          money('Disponível', 'credit.available'),
          ['Cashback', <Money key="b" of={cashback.available} />],
          text('Convite', 'referral_code'),
          code('Id', 'id'),
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
      <TableSection
        title="O que deve agora"
        rows={owed.installments}
        empty="Nada."
        open={({ checkout_hash }) => `/compras/${checkout_hash}`}
        columns={[
          text('Compra', 'merchant.name'),
          number('Parcela', 'number'),
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
      >
        {owed.total_due > 0 && (
          <p>
            Em todas: {inReais(owed.outstanding)} de principal, {inReais(owed.penalties)} de multa e juros,{' '}
            <b>{inReais(owed.total_due)}</b> no total.
          </p>
        )}
      </TableSection>
      <TableSection
        title="Compras"
        more={all('compras')}
        rows={purchases.data}
        open={({ hash }) => `/compras/${hash}`}
        columns={[
          text('Loja', 'merchant.name'),
          state('Situação', 'status', PURCHASE),
          money('Financiado', 'amounts.financed'),
          day('Próxima', 'next_due_on'),
          moment('Comprada', 'purchased_at'),
        ]}
      />
      <TableSection
        title="Ofertas"
        more={all('ofertas')}
        rows={offers.data}
        open={({ id }) => `/ofertas/${id}`}
        columns={[
          text('Loja', 'merchant.name'),
          state('Situação', 'status', OFFER),
          money('Valor', 'amount'),
          moment('Feita', 'created_at'),
        ]}
      />
      <TableSection
        title="Pagamentos"
        more={all('pagamentos', 'Todos')}
        rows={payments.data}
        open={({ end_to_end_id }) => `/pagamentos/${end_to_end_id}`}
        columns={[code('PIX', 'end_to_end_id'), money('Valor', 'value'), moment('Pago', 'paid_at')]}
      />
      <TableSection
        title="Cobranças"
        more={all('cobrancas')}
        rows={charges.data}
        columns={[
          code('Txid', 'txid'),
          state('Situação', 'status', CHARGE),
          money('Valor', 'value'),
          moment('Criada', 'created_at'),
        ]}
      />
      <TableSection
        title="Cashback"
        more={all('cashback', 'Todo')}
        rows={trail.data}
        columns={[
          moment('Quando', 'occurred_at'),
          state('Tipo', 'kind', CASHBACK),
          money('Valor', 'amount'),
          text('Descrição', 'description'),
        ]}
      />
      <TableSection
        title="Mensagens"
        more={all('mensagens')}
        rows={messages.data}
        columns={messageColumns(visit)}
      />
      <TableSection
        title="Sessões abertas"
        rows={sessions.data}
        empty="Nenhuma."
        columns={[
          moment('Desde', 'created_at'),
          moment('Em uso', 'refreshed_at'),
          {
            title: 'Ação',
            show: ({ id }) => (
              <ActLinks visit={{ ...visit, params: { ...params, session: id } }} acts={[acts.endSession]} />
            ),
          },
        ]}
      >
        {sessions.data.length > 1 && (
          <div class="actions office-bulk">
            <ActLinks visit={visit} acts={[acts.endSessions]} />
          </div>
        )}
      </TableSection>
      <Section title="Linha do tempo" more={{ href: `/trilha?subject=customer:${path.id}`, text: 'Trilha' }}>
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
    </RecordLayout>
  );
};
