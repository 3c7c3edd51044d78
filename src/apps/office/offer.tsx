import { formatPercent, formatReais } from '../text/format.ts';
import { defineAction } from './action.tsx';
import { OFFER_LABELS } from './labels.ts';
import { RecordLayout } from './layout.tsx';
import { Code, DescriptionList, TableSection, withTitle } from './tables.tsx';
import type { OfficePageHandler } from './visit.ts';

export const cancelOffer = defineAction({
  path: '/ofertas/:id/cancelar',
  operation: 'cancelOfferOfAnybody',
  title: 'Cancelar oferta',
  recordOperation: 'getOfferOfAnybody', // an offer of any merchant, for staff
  renderImpact: ({ amount, merchant }) => (
    <p>
      A oferta de {formatReais(amount)} de {merchant.name} deixa de poder ser aceita. A loja é avisada.
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
      actions={status === 'pending' && [cancelOffer]}
    >
      <DescriptionList
        record={offer}
        rows={[
          'amount',
          'status',
          'description',
          'reference',
          withTitle('quote.cost', 'Custo do crédito'),
          ['CET ao ano', formatPercent(quote.terms.cet_percent_year)],
          withTitle('created_at', 'Feita'),
          withTitle('expires_at', 'Vence'),
          customer_id
            ? ['Cliente', <Code>{customer_id}</Code>, `/clientes/${customer_id}`]
            : ['Cliente', 'ninguém ainda'],
          checkout_hash && ['Compra', <Code>{checkout_hash}</Code>, `/compras/${checkout_hash}`],
        ]}
        labels={{ status: OFFER_LABELS }}
        emptyTexts={{ description: 'nenhuma', reference: 'nenhuma' }}
      />
      {items.length > 0 && (
        <TableSection
          title="Itens"
          rows={items}
          columns={[
            withTitle('name', 'Item'),
            { title: 'Quantidade', isNumber: true, render: ({ quantity }) => quantity },
            'amount',
          ]}
        />
      )}
      <TableSection
        title="Parcelas"
        rows={quote.installments}
        columns={[withTitle('number', 'Nº'), withTitle('due_on', 'Vence'), 'amount']}
      />
    </RecordLayout>
  );
};
