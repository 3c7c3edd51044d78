import type { Sent } from '../server/visit.ts';
import { plainReais, readPhone, showPhone } from '../text/format.ts';
import { type ActField, act } from './act.tsx';
import { moment, text } from './columns.tsx';
import { YES_NO } from './lists/names.ts';
import type { StaffClient, StaffSchemas } from './staff/client.ts';
import { Facts } from './tables.tsx';
import { amountIn, filled, readAmount, typed } from './typed.ts';

const PATH = '/lojas/:slug';
export const MEMBER_ROLE = { owner: 'Responsável', clerk: 'Caixa' } as const;

type Merchant = StaffSchemas['StaffMerchant'];
type Plan = Merchant['plan'];

/** Names of fields are pointers into the body: what is wrong is said beside them. */
const PLAN: ReadonlyArray<{ of: keyof Plan; label: string; hint?: string; mask?: 'money' }> = [
  { of: 'weekly_rate_percent', label: 'Juros por semana, em %' },
  { of: 'max_installments', label: 'Semanas, no máximo' },
  { of: 'min_amount', label: 'Venda mínima', mask: 'money' },
  { of: 'max_amount', label: 'Venda máxima', mask: 'money' },
  { of: 'cashback_percent', label: 'Cashback, em %' },
  { of: 'merchant_fee_percent', label: 'Taxa da loja, em %' },
  { of: 'payout_days', label: 'Repasse em', hint: 'Dias úteis depois da venda.' },
];

const planFields = (plan?: Plan): ActField[] =>
  PLAN.map(({ of, label, hint, mask }) => ({
    name: `plan/${of}`,
    label,
    optional: plan === undefined,
    ...(hint && { hint }),
    ...(mask && { mask }),
    ...(plan && { value: mask ? plainReais(plan[of]) : String(plan[of]).replace('.', ',') }),
  }));

/** Only what was filled in. */
const planIn = (sent: Sent): { plan?: Partial<Plan> } => {
  const filled = PLAN.filter(({ of }) => sent.text(`plan/${of}`));
  if (filled.length === 0) return {};
  return { plan: Object.fromEntries(filled.map(({ of }) => [of, readAmount(sent.text(`plan/${of}`))])) };
};

async function shopFields(api: StaffClient, shop: Partial<Merchant>): Promise<ActField[]> {
  const { data } = await api.listCategoryForStaff({ query: { limit: 100 } });
  const field = (
    name: 'name' | 'city' | 'state' | 'website',
    label: string,
    maxLength: number,
  ): ActField => ({ name, label, maxLength, value: shop[name] ?? '', optional: name !== 'name' });
  return [
    field('name', 'Nome', 120),
    {
      name: 'category',
      label: 'Categoria',
      choices: Object.fromEntries(data.map(({ slug, name }) => [slug, name])),
      value: shop.category,
    },
    {
      name: 'description',
      label: 'Descrição',
      rows: 3,
      optional: true,
      value: shop.description ?? '',
      maxLength: 2000,
    },
    field('city', 'Cidade', 80),
    field('state', 'Estado (UF)', 2),
    field('website', 'Site', 300),
  ];
}

const shopIn = (sent: Sent) => ({
  ...typed(sent, 'name', 'category'),
  description: sent.text('description') || null,
  city: sent.text('city') || null,
  state: sent.text('state') || null,
  website: sent.text('website') || null,
});

const SLUG: ActField = {
  name: 'slug',
  label: 'Endereço',
  hint: 'Letras minúsculas e hífens: padaria-do-bairro.',
  maxLength: 80,
};

export const create = act({
  path: '/lojas/nova',
  call: 'createMerchant',
  title: 'Nova loja',
  fields: async (_, { api }) => [SLUG, ...(await shopFields(api, {}))],
  button: 'Criar loja',
  body: (sent) => ({ slug: sent.text('slug'), ...shopIn(sent) }),
  done: ({ slug }) => ({ note: 'Loja criada, com o plano de fábrica.', to: `/lojas/${slug}` }),
});

/** From the form of a partner to a merchant with its owner. */
export const makeMerchant = act({
  path: '/contatos/:id/loja',
  call: 'makeMerchantOfLead',
  title: 'Fazer loja',
  says: 'O contato vira uma loja com responsável. Do plano, o que fica em branco é o de fábrica.',
  of: 'getLead',
  fields: async ({ company, name, phone }, { api }) => [
    { ...SLUG, hint: 'Em branco: vem do nome.', optional: true },
    ...(await shopFields(api, { name: company ?? name })),
    { name: 'owner/name', label: 'Responsável', value: name, maxLength: 120 },
    {
      name: 'owner/phone',
      label: 'Celular do responsável',
      hint: 'Com ele entra no balcão.',
      mask: 'phone',
      value: phone ? showPhone(phone) : '',
    },
    ...planFields(),
  ],
  body: (sent) => ({
    ...filled(sent, 'slug'),
    ...shopIn(sent),
    ...planIn(sent),
    owner: { name: sent.text('owner/name'), phone: readPhone(sent.text('owner/phone')) },
  }),
  done: ({ merchant }) => ({
    note: 'Loja feita, com o seu responsável. O contato está atendido.',
    to: `/lojas/${merchant.slug}`,
  }),
});

export const edit = act({
  path: `${PATH}/editar`,
  call: 'changeMerchant',
  title: 'Editar',
  edits: 'getMerchantForStaff',
  fields: (shop, { api }) => shopFields(api, shop),
  button: 'Salvar',
  body: shopIn,
  done: 'Loja salva. O site mostra em um segundo.',
});

export const plan = act({
  path: `${PATH}/plano`,
  call: 'changeMerchant',
  least: 'finance',
  title: 'Mudar plano',
  says: 'Vale para as próximas ofertas. As vendas feitas ficam como foram combinadas.',
  edits: 'getMerchantForStaff',
  fields: (shop) => planFields(shop.plan),
  body: planIn,
  done: 'Plano mudado.',
});

export const account = act({
  path: `${PATH}/conta`,
  call: 'setPayoutAccount',
  title: 'Mudar conta de repasse',
  says: 'Os próximos repasses vão para esta conta. Confira com a loja por outro caminho.',
  stake: 'any',
  edits: 'getPayoutAccount',
  fields: (now) => [
    { name: 'pix_key', label: 'Chave PIX', value: now.pix_key ?? '', maxLength: 100 },
    { name: 'holder_name', label: 'Titular', value: now.holder_name ?? '', maxLength: 120 },
    { name: 'tax_id', label: 'CPF ou CNPJ', value: now.tax_id ?? '', maxLength: 20 },
  ],
  button: 'Mudar conta',
  body: (sent) => typed(sent, 'pix_key', 'holder_name', 'tax_id'),
  done: 'Conta de repasse mudada.',
});

export const stopChange = act({
  path: `${PATH}/conta/parar`,
  call: 'stopPayoutAccountChange',
  title: 'Parar a troca',
  of: 'getPayoutAccount',
  figures: ({ change }) =>
    change ? (
      <Facts
        of={change}
        are={[
          text('Chave PIX', 'pix_key'),
          text('Titular', 'holder_name'),
          text('CPF ou CNPJ', 'tax_id'),
          moment('Pedida', 'asked_at'),
          moment('Contaria em', 'counts_at'),
        ]}
      />
    ) : (
      <p>Nenhuma troca espera.</p>
    ),
  done: 'A troca foi parada. Fica a conta de antes.',
});

export const listing = act({
  path: `${PATH}/site`,
  call: 'changeMerchant',
  title: 'Mostrar ou tirar do site',
  edits: 'getMerchantForStaff',
  fields: ({ listed }) => [{ name: 'listed', label: 'No site', choices: YES_NO, value: String(listed) }],
  button: 'Salvar',
  body: (sent) => ({ listed: sent.text('listed') === 'true' }),
  done: ({ listed }) => (listed ? 'A loja está no site.' : 'A loja saiu do site e não vende mais.'),
});

export const addMember = act({
  path: `${PATH}/pessoas/nova`,
  call: 'addMerchantMember',
  title: 'Incluir uma pessoa',
  fields: [
    { name: 'name', label: 'Nome', maxLength: 120 },
    { name: 'phone', label: 'Celular', mask: 'phone' },
    { name: 'role', label: 'Papel', choices: MEMBER_ROLE, hint: 'A primeira pessoa é responsável.' },
    {
      name: 'max_amount',
      label: 'Vende até',
      hint: 'De um caixa. Em branco: sem limite.',
      mask: 'money',
      optional: true,
    },
    { name: 'may_return', label: 'Devolve', choices: YES_NO, value: 'false' },
  ],
  button: 'Incluir na loja',
  body: (sent) => ({
    name: sent.text('name'),
    phone: readPhone(sent.text('phone')),
    role: sent.text('role') === 'clerk' ? 'clerk' : 'owner',
    may_return: sent.text('may_return') === 'true',
    ...(sent.text('max_amount') && { max_amount: amountIn(sent, 'max_amount') }),
  }),
  done: ({ name }) => `${name} entra no balcão com o celular.`,
});

export const removeMember = act({
  path: `${PATH}/pessoas/:id/remover`,
  call: 'removeMerchantMember',
  title: 'Remover',
  says: 'Sai do balcão agora, em todos os aparelhos. As vendas que fez continuam.',
  button: 'Remover da loja',
  done: 'Pessoa removida da loja.',
});
