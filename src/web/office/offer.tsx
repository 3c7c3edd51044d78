import { inReais, percent } from '../text/format.ts';
import { act } from './act.tsx';
import { day, moment, money, number, state, text } from './columns.tsx';
import { OFFER } from './lists/names.ts';
import { Code } from './parts.tsx';
import { RecordLayout } from './record.tsx';
import { Facts, TableSection } from './tables.tsx';
import type { MakeOfficePage } from './visit.ts';

export const cancel = act({
  path: '/ofertas/:id/cancelar',
  call: 'cancelOfferOfAnybody',
  title: 'Cancelar oferta',
  of: 'getOfferOfAnybody',
  figures: ({ amount, merchant }) => (
    <p>
      A oferta de {inReais(amount)} de {merchant.name} deixa de poder ser aceita. A loja é avisada.
    </p>
  ),
  done: 'Oferta cancelada.',
});

export const offerPage: MakeOfficePage = async (visit) => {
  const offer = await visit.api.getOfferOfAnybody({ path: { id: visit.params.id! } });
  const { quote, items, merchant, status, customer_id, checkout_hash } = offer;
  return (
    <RecordLayout
      title="Oferta"
      heading={`Oferta de ${merchant.name}`}
      visit={visit}
      acts={status === 'pending' && [cancel]}
    >
      <Facts
        of={offer}
        are={[
          money('Valor', 'amount'),
          state('Situação', 'status', OFFER),
          text('Descrição', 'description', 'nenhuma'),
          text('Referência', 'reference', 'nenhuma'),
          money('Custo do crédito', 'quote.cost'),
          ['CET ao ano', percent(quote.terms.cet_percent_year)],
          moment('Feita', 'created_at'),
          moment('Vence', 'expires_at'),
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
            { title: 'Quantidade', isNumber: true, show: ({ quantity }) => quantity },
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
