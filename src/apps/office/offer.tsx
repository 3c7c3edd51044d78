import { inReais, percent } from '../text/format.ts';
import { defineAct } from './act.tsx';
import { day, money, number, statusBadge, text, timestamp } from './columns.tsx';
import { OFFER_LABELS } from './lists/labels.ts';
import { Code } from './parts.tsx';
import { RecordLayout } from './record.tsx';
import { Facts, TableSection } from './tables.tsx';
import type { OfficePageHandler } from './visit.ts';

export const cancelOffer = defineAct({
  path: '/ofertas/:id/cancelar',
  call: 'cancelOfferOfAnybody',
  title: 'Cancelar oferta',
  record: 'getOfferOfAnybody',
  impact: ({ amount, merchant }) => (
    <p>
      A oferta de {inReais(amount)} de {merchant.name} deixa de poder ser aceita. A loja é avisada.
    </p>
  ),
  success: 'Oferta cancelada.',
});

export const offerPage: OfficePageHandler = async (visit) => {
  const offer = await visit.api.getOfferOfAnybody({ path: { id: visit.params.id! } });
  const { quote, items, merchant, status, customer_id, checkout_hash } = offer;
  return (
    <RecordLayout
      title="Oferta"
      heading={`Oferta de ${merchant.name}`}
      visit={visit}
      acts={status === 'pending' && [cancelOffer]}
    >
      <Facts
        record={offer}
        rows={[
          money('Valor', 'amount'),
          statusBadge('Situação', 'status', OFFER_LABELS),
          text('Descrição', 'description', 'nenhuma'),
          text('Referência', 'reference', 'nenhuma'),
          money('Custo do crédito', 'quote.cost'),
          ['CET ao ano', percent(quote.terms.cet_percent_year)],
          timestamp('Feita', 'created_at'),
          timestamp('Vence', 'expires_at'),
          customer_id
            ? ['Cliente', <Code key="u">{customer_id}</Code>, `/clientes/${customer_id}`]
            : ['Cliente', 'ninguém ainda'],
          checkout_hash && ['Compra', <Code key="h">{checkout_hash}</Code>, `/compras/${checkout_hash}`],
        ]}
      />
      {items.length > 0 && (
        <TableSection
          title="Itens"
          rows={items}
          columns={[
            text('Item', 'name'),
            { title: 'Quantidade', isNumber: true, render: ({ quantity }) => quantity },
            money('Valor', 'amount'),
          ]}
        />
      )}
      <TableSection
        title="Parcelas"
        rows={quote.installments}
        columns={[number('Nº', 'number'), day('Vence', 'due_on'), money('Valor', 'amount')]}
      />
    </RecordLayout>
  );
};
