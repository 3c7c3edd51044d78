import { mayCall } from '#staff-client';
import { formatPhone, formatReais, keepAmountsTogether } from '../text/format.ts';
import { ActionLinks } from './action.tsx';
import { PendingApproval } from './approval.tsx';
import * as actions from './customer-actions.tsx';
import { DECISION_OUTCOME_LABELS, getReasonLabel, PURCHASE_LABELS } from './labels.ts';
import { RecordLayout } from './layout.tsx';
import { Pagination, readPageNumber } from './list.tsx';
import { offers as offerList, purchases as purchaseList } from './lists/customers.tsx';
import { cashback as cashbackList, charges as chargeList, payments as paymentList } from './lists/money.tsx';
import {
  Code,
  DescriptionList,
  Money,
  Section,
  StatusBadge,
  TableSection,
  Timestamp,
  withTitle,
} from './tables.tsx';
import type { OfficePageHandler } from './visit.ts';

export const customerPage: OfficePageHandler = async (visit) => {
  const { api, params, user } = visit;
  const path = { id: params.id! };
  const query = { customer: path.id, limit: 10 };
  const timelinePage = readPageNumber(visit.search, 'historia');
  const [
    customer,
    purchases,
    debt,
    decisions,
    payments,
    charges,
    timeline,
    cashback,
    cashbackEntries,
    offers,
    notes,
    sessions,
    messages,
  ] = await Promise.all([
    api.getCustomer({ path }),
    api.listCheckoutsOfAll({ query }),
    api.getOwedByCustomer({ path }),
    api.listCreditDecisions({ query: { customer: path.id, limit: 1 } }),
    api.listPixPaymentItems({ query }),
    api.listPixCharges({ query }),
    api.getCustomerStory({ path, query: { limit: 50, page: timelinePage } }),
    api.getCashbackOfCustomer({ path }),
    api.listCashbackOfAll({ query }),
    api.listOffersOfAll({ query }),
    api.listCustomerNotes({ path, query: { limit: 20 } }),
    api.listCustomerSessions({ path }),
    api.listStaffMessages({ query }),
  ]);
  const { locked_at, phone_change } = customer;
  const [lastDecision] = decisions.data;
  return (
    <RecordLayout
      title="Cliente"
      heading={customer.name}
      visit={visit}
      actions={
        !customer.erased_at && [
          actions.addNote,
          !locked_at && actions.lockCustomer,
          // Also for a customer who is not locked: it resets the count of wrong passwords and codes.
          actions.unlockCustomer,
          actions.changeLimit,
          actions.changeContact,
          actions.adjustCashback,
          actions.eraseCustomer,
        ]
      }
      extraAction={
        mayCall(user!.role, 'exportCustomer') && (
          <a class="button small quiet" href={`/clientes/${path.id}/dados.json`} download>
            Exportar dados
          </a>
        )
      }
    >
      <PendingApproval approval={customer.approval} />
      {locked_at && (
        <p class="note warn" role="status">
          Bloqueado desde <Timestamp instant={locked_at} />.
        </p>
      )}
      {phone_change && (
        <p class="note warn" role="status">
          Troca de celular para {formatPhone(phone_change.phone)}, que conta em{' '}
          <Timestamp instant={phone_change.counts_at} />.{' '}
          <ActionLinks visit={visit} actions={[actions.confirmPhoneChange, actions.cancelPhoneChange]} />
        </p>
      )}
      <DescriptionList
        record={customer}
        rows={[
          ['Celular', formatPhone(customer.phone)],
          'email',
          'cpf',
          withTitle('created_at', 'Cadastro'),
          'credit.limit',
          lastDecision && [
            'Por quê',
            lastDecision.reasons.map(getReasonLabel).join('; ') ||
              DECISION_OUTCOME_LABELS[lastDecision.outcome],
            `/decisoes/${lastDecision.id}`,
          ],
          'credit.used',
          'credit.available',
          ['Cashback', <Money amount={cashback.available} />],
          withTitle('referral_code', 'Convite'),
          ['Id', <Code>{customer.id}</Code>],
        ]}
      />
      <Section title="Anotações">
        {notes.data.length === 0 && <p class="empty">Nenhuma.</p>}
        <ol class="office-notes">
          {notes.data.map(({ id, text, author_name, written_at }) => (
            <li key={id}>
              <p class="office-text">{text}</p>
              <p class="muted">
                {author_name}, <Timestamp instant={written_at} />
              </p>
            </li>
          ))}
        </ol>
      </Section>
      <TableSection
        title="O que deve agora"
        rows={debt.installments}
        emptyText="Nada."
        rowHref={({ checkout_hash }) => `/compras/${checkout_hash}`}
        columns={[
          withTitle('merchant.name', 'Compra'),
          withTitle('number', 'Parcela'),
          withTitle('due_on', 'Vence'),
          {
            title: 'Situação',
            render: ({ status, written_off }) => (
              <>
                <StatusBadge status={status} labels={PURCHASE_LABELS} />
                {written_off && ' baixada'}
              </>
            ),
          },
          withTitle('outstanding', 'Principal'),
          'fine',
          'interest',
          withTitle('total_due', 'Total'),
        ]}
      >
        {debt.total_due > 0 && (
          <p>
            Em todas: {formatReais(debt.outstanding)} de principal, {formatReais(debt.penalties)} de multa e
            juros, <b>{formatReais(debt.total_due)}</b> no total.
          </p>
        )}
      </TableSection>
      <purchaseList.Section list={purchases} query={query} omit={['Cliente', 'Pago']} />
      <offerList.Section list={offers} query={query} />
      <paymentList.Section list={payments} query={query} omit={['Cliente']} />
      <chargeList.Section list={charges} query={query} omit={['Cliente']} />
      <cashbackList.Section list={cashbackEntries} query={query} omit={['Cliente']} hasRowLinks={false} />
      <actions.Messages title="Mensagens" visit={visit} list={messages} filter={`customer=${path.id}`} />
      <TableSection
        title="Sessões abertas"
        rows={sessions.data}
        emptyText="Nenhuma."
        columns={[
          withTitle('created_at', 'Desde'),
          withTitle('refreshed_at', 'Em uso'),
          {
            title: 'Ação',
            render: ({ id }) => (
              <ActionLinks visit={visit} actions={[actions.endSession]} params={{ session: id }} />
            ),
          },
        ]}
      >
        {sessions.data.length > 1 && (
          <div class="actions office-bulk">
            <ActionLinks visit={visit} actions={[actions.endSessions]} />
          </div>
        )}
      </TableSection>
      <Section
        title="Linha do tempo"
        moreLink={{ href: `/trilha?subject=customer:${path.id}`, text: 'Trilha' }}
      >
        <ol class="office-timeline" id="historia">
          {timeline.data.map(({ at, text, checkout_hash }) => (
            <li key={at + text}>
              <Timestamp instant={at} />
              <span>
                {checkout_hash ? (
                  <a href={`/compras/${checkout_hash}`}>{keepAmountsTogether(text)}</a>
                ) : (
                  keepAmountsTogether(text)
                )}
              </span>
            </li>
          ))}
        </ol>
        <Pagination
          pagination={timeline.pagination}
          buildHref={({ page }) => `/clientes/${path.id}?historia=${page}#historia`}
        />
      </Section>
    </RecordLayout>
  );
};
