import { inReais, percent } from '../ui/format.ts';
import { type Act, ActLinks } from './act.tsx';
import { OfficeLayout } from './layout.tsx';
import { OFFER } from './lists/names.ts';
import { Code, day, Facts, Money, money, Section, Status, Table, When } from './parts.tsx';
import type { MakeOfficePage } from './visit.ts';

const PATH = '/ofertas/:id';

const cancel: Act = {
  path: `${PATH}/cancelar`,
  call: 'cancelOfferOfAnybody',
  title: 'Cancelar oferta',
  back: PATH,
  async figures({ api, params }) {
    const { amount, merchant } = await api.getOfferOfAnybody({ path: { id: params.id! } });
    return (
      <p>
        A oferta de {inReais(amount)} de {merchant.name} deixa de poder ser aceita. A loja é avisada.
      </p>
    );
  },
  button: 'Cancelar oferta',
  async run({ api, params }) {
    await api.cancelOfferOfAnybody({ path: { id: params.id! } });
    return 'Oferta cancelada.';
  },
};

export const OFFER_ACTS: readonly Act[] = [cancel];

export const offerPage: MakeOfficePage = async (visit) => {
  const offer = await visit.api.getOfferOfAnybody({ path: { id: visit.params.id! } });
  const { quote, items } = offer;
  return {
    body: (
      <OfficeLayout
        title="Oferta"
        heading={`Oferta de ${offer.merchant.name}`}
        visit={visit}
        crumbs={[{ href: '/ofertas', text: 'Ofertas' }]}
        actions={offer.status === 'pending' && <ActLinks visit={visit} acts={[cancel]} />}
      >
        <Facts
          of={[
            ['Valor', <Money key="v" of={offer.amount} />],
            ['Situação', <Status key="s" of={offer.status} names={OFFER} />],
            ['Descrição', offer.description ?? 'nenhuma'],
            ['Referência', offer.reference ?? 'nenhuma'],
            ['Custo do crédito', <Money key="c" of={quote.cost} />],
            ['CET ao ano', percent(quote.terms.cet_percent_year)],
            ['Feita', <When key="f" at={offer.created_at} />],
            ['Vence', <When key="e" at={offer.expires_at} />],
            [
              'Cliente',
              offer.customer_id ? (
                <a key="u" href={`/clientes/${offer.customer_id}`}>
                  <Code>{offer.customer_id}</Code>
                </a>
              ) : (
                'ninguém ainda'
              ),
            ],
            offer.checkout_hash
              ? [
                  'Compra',
                  <a key="h" href={`/compras/${offer.checkout_hash}`}>
                    <Code>{offer.checkout_hash}</Code>
                  </a>,
                ]
              : undefined,
          ]}
        />
        {items.length > 0 && (
          <Section title="Itens">
            <Table
              caption="Itens"
              rows={items}
              columns={[
                { title: 'Item', show: ({ name }) => name },
                { title: 'Quantidade', isNumber: true, show: ({ quantity }) => quantity },
                money('Valor', 'amount'),
              ]}
            />
          </Section>
        )}
        <Section title="Parcelas">
          <Table
            caption="Parcelas"
            rows={quote.installments}
            columns={[
              { title: 'Nº', isNumber: true, show: ({ number }) => number },
              day('Vence', 'due_on'),
              money('Valor', 'amount'),
            ]}
          />
        </Section>
      </OfficeLayout>
    ),
  };
};
