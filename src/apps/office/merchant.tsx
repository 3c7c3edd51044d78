import type { StaffClient, StaffSchemas } from '#staff-client';
import { formatPhone, formatReais, formatReaisInput, pluralize } from '../text/format.ts';
import { MEMBER_ROLE_LABELS } from '../text/labels.ts';
import { MerchantCard } from '../ui/components.tsx';
import { ActionLinks, defineAction, type FieldDeclaration } from './action.tsx';
import { PendingApproval } from './approval.tsx';
import { RecordLayout } from './layout.tsx';
import { purchases as purchaseList } from './lists/customers.tsx';
import { payouts as payoutList } from './lists/money.tsx';
import { DescriptionList, Section, TableSection, Timestamp, withTitle } from './tables.tsx';
import { setMerchantLogo } from './uploads.tsx';
import type { OfficePageHandler } from './visit.ts';

const MERCHANT_PATH = '/lojas/:slug';

type Merchant = StaffSchemas['StaffMerchant'];
type Plan = Merchant['plan'];

const PLAN_FIELDS: ReadonlyArray<{ name: keyof Plan; label: string; hint?: string; isAmount?: true }> = [
  { name: 'weekly_rate_percent', label: 'Juros por semana, em %' },
  { name: 'max_installments', label: 'Semanas, no máximo' },
  { name: 'min_amount', label: 'Venda mínima', isAmount: true },
  { name: 'max_amount', label: 'Venda máxima', isAmount: true },
  { name: 'cashback_percent', label: 'Cashback, em %' },
  { name: 'merchant_fee_percent', label: 'Taxa da loja, em %' },
  { name: 'payout_days', label: 'Repasse em', hint: 'Dias úteis depois da venda.' },
];

/**
 * Builds the fields of the plan, an inner object of the body: `plan/min_amount` is the field `min_amount` of `plan`. Without a plan the fields
 * are blank and optional, because the service then uses its default plan.
 */
const buildPlanFields = (plan?: Plan): FieldDeclaration[] =>
  PLAN_FIELDS.map(({ name, isAmount, ...field }) => ({
    ...field,
    name: `plan/${name}`,
    optional: plan === undefined,
    value: plan && (isAmount ? formatReaisInput(plan[name]) : String(plan[name]).replace('.', ',')),
  }));

async function buildMerchantFields(api: StaffClient, merchant: Partial<Merchant>) {
  const { data } = await api.listCategoryForStaff({ query: { limit: 100 } });
  return [
    { name: 'name', value: merchant.name },
    {
      name: 'category',
      label: 'Categoria',
      choices: Object.fromEntries(data.map(({ slug, name }) => [slug, name])),
      value: merchant.category,
    },
    { name: 'description', rows: 3, optional: true, value: merchant.description ?? '' },
    { name: 'city', optional: true, value: merchant.city ?? '', maxLength: 80 },
    { name: 'state', label: 'Estado (UF)', optional: true, value: merchant.state ?? '', maxLength: 2 },
    { name: 'website', optional: true, value: merchant.website ?? '', maxLength: 300 },
  ];
}

const SLUG_FIELD: FieldDeclaration = {
  name: 'slug',
  hint: 'Letras minúsculas e hífens: padaria-do-bairro.',
  maxLength: 80,
};

export const createMerchant = defineAction({
  path: '/lojas/nova',
  operation: 'createMerchant',
  title: 'Nova loja',
  fields: async (_, { api }) => [SLUG_FIELD, ...(await buildMerchantFields(api, {}))],
  button: 'Criar loja',
  success: ({ slug }) => ({ note: 'Loja criada, com o plano de fábrica.', redirectTo: `/lojas/${slug}` }),
});

const OWNER_APPROVAL_RULE = { text: 'Um responsável espera a aprovação de outra pessoa.' };

export const createMerchantFromLead = defineAction({
  path: '/contatos/:id/loja',
  operation: 'makeMerchantOfLead',
  title: 'Fazer loja',
  approvalRule: OWNER_APPROVAL_RULE,
  description: 'O contato vira uma loja com responsável. Do plano, o que fica em branco é o de fábrica.',
  recordOperation: 'getLead',
  fields: async ({ company, name, phone }, { api }) => [
    { ...SLUG_FIELD, hint: 'Em branco: vem do nome.', optional: true },
    ...(await buildMerchantFields(api, { name: company ?? name })),
    { name: 'owner/name', label: 'Responsável', value: name },
    {
      name: 'owner/phone',
      label: 'Celular do responsável',
      hint: 'Com ele entra no balcão.',
      value: phone ? formatPhone(phone) : '',
    },
    ...buildPlanFields(),
  ],
  success: ({ merchant }) => ({
    note: 'Loja feita, com o seu responsável. O contato está atendido.',
    redirectTo: `/lojas/${merchant.slug}`,
  }),
});

export const editMerchant = defineAction({
  path: `${MERCHANT_PATH}/editar`,
  operation: 'changeMerchant',
  title: 'Editar',
  editedRecordOperation: 'getMerchantForStaff',
  fields: (merchant, { api }) => buildMerchantFields(api, merchant),
  button: 'Salvar',
  success: 'Loja salva. O site mostra em um segundo.',
});

export const changePlan = defineAction({
  path: `${MERCHANT_PATH}/plano`,
  operation: 'changeMerchant',
  role: 'finance',
  title: 'Mudar plano',
  description: 'Vale para as próximas ofertas. As vendas feitas ficam como foram combinadas.',
  editedRecordOperation: 'getMerchantForStaff',
  fields: (merchant) => buildPlanFields(merchant.plan),
  success: 'Plano mudado.',
});

export const changePayoutAccount = defineAction({
  path: `${MERCHANT_PATH}/conta`,
  operation: 'setPayoutAccount',
  title: 'Mudar conta de repasse',
  description: 'Os próximos repasses vão para esta conta. Confira com a loja por outro caminho.',
  approvalRule: 'always',
  editedRecordOperation: 'getPayoutAccount',
  fields: (account) => [
    { name: 'pix_key', value: account.pix_key ?? '', maxLength: 100 },
    { name: 'holder_name', value: account.holder_name ?? '' },
    { name: 'tax_id', value: account.tax_id ?? '', maxLength: 20 },
  ],
  button: 'Mudar conta',
  success: 'Conta de repasse mudada.',
});

export const cancelAccountChange = defineAction({
  path: `${MERCHANT_PATH}/conta/parar`,
  operation: 'stopPayoutAccountChange',
  title: 'Parar a troca',
  recordOperation: 'getPayoutAccount',
  renderImpact: ({ change }) =>
    change ? (
      <DescriptionList
        record={change}
        rows={['pix_key', 'holder_name', 'tax_id', 'asked_at', 'counts_at']}
        titles={{ asked_at: 'Pedida', counts_at: 'Contaria em' }}
      />
    ) : (
      <p>Nenhuma troca espera.</p>
    ),
  success: 'A troca foi parada. Fica a conta de antes.',
});

export const changeListing = defineAction({
  path: `${MERCHANT_PATH}/site`,
  operation: 'changeMerchant',
  title: 'Mostrar ou tirar do site',
  editedRecordOperation: 'getMerchantForStaff',
  fields: ({ listed }) => [{ name: 'listed', value: String(listed) }],
  button: 'Salvar',
  success: ({ listed }) => (listed ? 'A loja está no site.' : 'A loja saiu do site e não vende mais.'),
});

export const addMember = defineAction({
  path: `${MERCHANT_PATH}/pessoas/nova`,
  operation: 'addMerchantMember',
  title: 'Incluir uma pessoa',
  approvalRule: OWNER_APPROVAL_RULE,
  fields: [
    'name',
    { name: 'phone', label: 'Celular' },
    { name: 'role', choices: MEMBER_ROLE_LABELS, hint: 'A primeira pessoa é responsável.' },
    { name: 'max_amount', label: 'Vende até', hint: 'De um caixa. Em branco: sem limite.', optional: true },
    { name: 'may_return', label: 'Devolve', value: 'false' },
  ],
  button: 'Incluir na loja',
  success: ({ name }) => `${name} entra no balcão com o celular.`,
});

export const removeMember = defineAction({
  path: `${MERCHANT_PATH}/pessoas/:id/remover`,
  operation: 'removeMerchantMember',
  title: 'Remover',
  description: 'Sai do balcão agora, em todos os aparelhos. As vendas que fez continuam.',
  button: 'Remover da loja',
  success: 'Pessoa removida da loja.',
});

/** Renders the merchant's card as on the site, with a link to the merchant's page there. */
function SitePreview(props: {
  merchant: Merchant;
  category: { slug: string; name: string };
  siteUrl: string | null;
}) {
  const { merchant, category, siteUrl } = props;
  const { slug, name, city, state, logo_url, plan, description, listed } = merchant;
  const card = { slug, name, city, state, logo_url, category, cashback_percent: plan.cashback_percent };
  return (
    <Section
      title="Como o site mostra"
      moreLink={siteUrl && listed ? { href: `${siteUrl}/lojas/${slug}`, text: 'Página no site' } : undefined}
    >
      {!listed && <p class="note warn">Fora do site: ninguém a vê, e ela não vende.</p>}
      <ul class="grid office-card">
        <MerchantCard merchant={card} level={3} {...(siteUrl && { siteUrl })} />
      </ul>
      <p class="office-text">{description ?? <span class="muted">Sem descrição.</span>}</p>
    </Section>
  );
}

export const merchantPage: OfficePageHandler = async (visit) => {
  const { api, params } = visit;
  const path = { slug: params.slug! };
  const query = { merchant: path.slug, limit: 10 };
  const [merchant, account, members, sales, writtenOffSales, payouts, categories] = await Promise.all([
    api.getMerchantForStaff({ path }),
    api.getPayoutAccount({ path }),
    api.listMerchantMembers({ path, query: { limit: 50 } }),
    api.listCheckoutsOfAll({ query }),
    api.listCheckoutsOfAll({ query: { merchant: path.slug, written_off: 'true', limit: 1 } }),
    api.listPayouts({ query }),
    api.listCategoryForStaff({ query: { limit: 100 } }),
  ]);
  const { plan } = merchant;
  const category = categories.data.find(({ slug }) => slug === merchant.category);
  const lossesText = pluralize(writtenOffSales.pagination.total, 'compra baixada', 'compras baixadas');
  return (
    <RecordLayout
      title="Loja"
      heading={merchant.name}
      visit={visit}
      actions={[editMerchant, changePlan, changeListing, setMerchantLogo, changePayoutAccount]}
    >
      <PendingApproval approval={merchant.approval} />
      {account.change && (
        <p class="note warn" role="status">
          Troca de conta para {account.change.pix_key}, {account.change.holder_name}, que conta em{' '}
          <Timestamp instant={account.change.counts_at} />.{' '}
          <ActionLinks visit={visit} actions={[cancelAccountChange]} />
        </p>
      )}
      <DescriptionList
        record={merchant}
        rows={[
          'slug',
          ['Categoria', category?.name ?? merchant.category],
          ['Cidade', [merchant.city, merchant.state].filter(Boolean).join(', ') || 'nenhuma'],
          'listed',
          withTitle('plan.weekly_rate_percent', 'Juros por semana'),
          ['Semanas, no máximo', plan.max_installments],
          withTitle('plan.min_amount', 'De'),
          withTitle('plan.max_amount', 'Até'),
          withTitle('plan.merchant_fee_percent', 'Taxa da loja'),
          withTitle('plan.cashback_percent', 'Cashback'),
          ['Repasse em', pluralize(plan.payout_days, 'dia útil', 'dias úteis')],
          ['Conta', account.pix_key ? `${account.pix_key}, ${account.holder_name}` : 'falta'],
          [
            'Perdas',
            `${lossesText}, de ${formatReais(writtenOffSales.totals?.amount ?? 0)}`,
            `/compras?merchant=${path.slug}&written_off=true`,
          ],
        ]}
      />
      <SitePreview
        merchant={merchant}
        category={category ?? { slug: merchant.category, name: merchant.category }}
        siteUrl={visit.publicSiteUrl}
      />
      <TableSection
        title="Pessoas da loja"
        caption="Pessoas"
        rows={members.data}
        columns={[
          'name',
          withTitle('role', 'Papel', { labels: MEMBER_ROLE_LABELS }),
          { title: 'Celular', render: ({ phone }) => formatPhone(phone) },
          withTitle('max_amount', 'Até', { emptyText: 'sem limite' }),
          { title: 'Devolve', render: ({ may_return }) => (may_return ? 'Sim' : 'Não') },
          {
            title: 'Ação',
            render: ({ id }) => <ActionLinks visit={visit} actions={[removeMember]} params={{ id }} />,
          },
        ]}
      >
        <div class="actions office-bulk">
          <ActionLinks visit={visit} actions={[addMember]} />
        </div>
      </TableSection>
      <purchaseList.Section title="Vendas" list={sales} query={query} omit={['Loja']} />
      <payoutList.Section list={payouts} query={query} omit={['Loja']} />
    </RecordLayout>
  );
};
