import { percent, showPhone } from '../ui/format.ts';
import { type Act, ActLinks, doneOrWaits, ifMatch, version } from './act.tsx';
import { OfficeLayout } from './layout.tsx';
import { PAYOUT, PURCHASE, YES_NO } from './lists/names.ts';
import { day, Facts, Money, maskedName, moment, money, Section, Status, Table } from './parts.tsx';
import { logo } from './uploads.tsx';
import type { MakeOfficePage } from './visit.ts';

const PATH = '/lojas/:slug';

const account: Act = {
  path: `${PATH}/conta`,
  call: 'setPayoutAccount',
  title: 'Mudar conta de repasse',
  back: PATH,
  figures: async () => <p>Os próximos repasses vão para esta conta. Confira com a loja por outro caminho.</p>,
  stake: async () => null,
  async fields({ api, params }) {
    const read = await api.call('getPayoutAccount', { path: { slug: params.slug! } });
    const now = read.data;
    return [
      version(read),
      { name: 'pix_key', label: 'Chave PIX', value: now.pix_key ?? '', maxLength: 100 },
      { name: 'holder_name', label: 'Titular', value: now.holder_name ?? '', maxLength: 120 },
      { name: 'tax_id', label: 'CPF ou CNPJ', value: now.tax_id ?? '', maxLength: 20 },
    ];
  },
  button: 'Mudar conta',
  async run({ api, params }, sent) {
    const body = {
      pix_key: sent.text('pix_key'),
      holder_name: sent.text('holder_name'),
      tax_id: sent.text('tax_id'),
    };
    return doneOrWaits(
      await api.call('setPayoutAccount', { path: { slug: params.slug! }, body, ...ifMatch(sent) }),
      'Conta de repasse mudada.',
    );
  },
};

const listing: Act = {
  path: `${PATH}/site`,
  call: 'changeMerchant',
  title: 'Mostrar ou tirar do site',
  back: PATH,
  async fields({ api, params }) {
    const read = await api.call('getMerchantForStaff', { path: { slug: params.slug! } });
    const value = String(read.data.listed);
    return [version(read), { name: 'listed', label: 'No site', choices: YES_NO, value }];
  },
  button: 'Salvar',
  async run({ api, params }, sent) {
    const listed = sent.text('listed') === 'true';
    await api.changeMerchant({ path: { slug: params.slug! }, body: { listed }, ...ifMatch(sent) });
    return listed ? 'A loja está no site.' : 'A loja saiu do site e não vende mais.';
  },
};

export const MERCHANT_ACTS: readonly Act[] = [account, listing];

export const merchantPage: MakeOfficePage = async (visit) => {
  const { api, params } = visit;
  const path = { slug: params.slug! };
  const query = { merchant: path.slug, limit: 10 };
  const [merchant, held, members, sales, payouts] = await Promise.all([
    api.getMerchantForStaff({ path }),
    api.getPayoutAccount({ path }),
    api.listMerchantMembers({ path, query: { limit: 50 } }),
    api.listCheckoutsOfAll({ query }),
    api.listPayouts({ query }),
  ]);
  const { plan } = merchant;
  return {
    body: (
      <OfficeLayout
        title="Loja"
        heading={merchant.name}
        visit={visit}
        crumbs={[{ href: '/lojas', text: 'Lojas' }]}
        actions={<ActLinks visit={visit} acts={[listing, logo, account]} />}
      >
        <Facts
          of={[
            ['Endereço', merchant.slug],
            ['Categoria', merchant.category],
            ['Cidade', [merchant.city, merchant.state].filter(Boolean).join(', ') || 'nenhuma'],
            ['No site', <Status key="s" of={String(merchant.listed)} names={YES_NO} />],
            ['Juros por semana', percent(plan.weekly_rate_percent)],
            ['Semanas, no máximo', plan.max_installments],
            ['De', <Money key="a" of={plan.min_amount} />],
            ['Até', <Money key="b" of={plan.max_amount} />],
            ['Taxa da loja', percent(plan.merchant_fee_percent)],
            ['Cashback', percent(plan.cashback_percent)],
            ['Repasse em', `${plan.payout_days} dias`],
            ['Conta', held.pix_key ? `${held.pix_key}, ${held.holder_name}` : 'falta'],
          ]}
        />
        <Section title="Pessoas da loja">
          <Table
            caption="Pessoas"
            rows={members.data}
            columns={[
              { title: 'Nome', show: ({ name }) => name },
              { title: 'Papel', show: ({ role }) => (role === 'owner' ? 'Dona ou dono' : 'Caixa') },
              { title: 'Celular', show: ({ phone }) => showPhone(phone) },
              {
                title: 'Até',
                isNumber: true,
                show: ({ max_amount }) => (max_amount === null ? 'sem limite' : <Money of={max_amount} />),
              },
              { title: 'Devolve', show: ({ may_return }) => (may_return ? 'Sim' : 'Não') },
            ]}
          />
        </Section>
        <Section title="Vendas" more={{ href: `/compras?merchant=${path.slug}`, text: 'Todas' }}>
          <Table
            caption="Vendas"
            rows={sales.data}
            open={({ hash }) => `/compras/${hash}`}
            columns={[
              { title: 'Cliente', show: ({ customer_name }) => maskedName(customer_name) },
              { title: 'Situação', show: ({ status }) => <Status of={status} names={PURCHASE} /> },
              { title: 'Financiado', isNumber: true, show: ({ amounts }) => <Money of={amounts.financed} /> },
              {
                title: 'Em aberto',
                isNumber: true,
                show: ({ amounts }) => <Money of={amounts.outstanding} />,
              },
              moment('Comprada', 'purchased_at'),
            ]}
          />
        </Section>
        <Section title="Repasses" more={{ href: `/repasses?merchant=${path.slug}`, text: 'Todos' }}>
          <Table
            caption="Repasses"
            rows={payouts.data}
            open={({ id }) => `/repasses/${id}`}
            columns={[
              day('Para o dia', 'due_on'),
              { title: 'Situação', show: ({ status }) => <Status of={status} names={PAYOUT} /> },
              money('Valor', 'amount'),
            ]}
          />
        </Section>
      </OfficeLayout>
    ),
  };
};
