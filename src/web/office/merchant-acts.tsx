import type { Sent } from '../server/visit.ts';
import { plainReais, readPhone, showPhone } from '../ui/format.ts';
import { type Act, type ActField, doneOrWaits, ifMatch, version } from './act.tsx';
import { readAmount } from './amounts.ts';
import { YES_NO } from './lists/names.ts';
import { Facts, When } from './parts.tsx';
import type { StaffClient, StaffSchemas } from './staff/client.ts';

export const MERCHANT = '/lojas/:slug';
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
  const text = (name: 'name' | 'city' | 'state' | 'website', label: string, maxLength: number): ActField => ({
    name,
    label,
    maxLength,
    value: shop[name] ?? '',
    optional: name !== 'name',
  });
  return [
    text('name', 'Nome', 120),
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
    text('city', 'Cidade', 80),
    text('state', 'Estado (UF)', 2),
    text('website', 'Site', 300),
  ];
}

const shopIn = (sent: Sent) => ({
  name: sent.text('name'),
  category: sent.text('category'),
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

const create: Act = {
  path: '/lojas/nova',
  call: 'createMerchant',
  title: 'Nova loja',
  back: '/lojas',
  fields: async ({ api }) => [SLUG, ...(await shopFields(api, {}))],
  button: 'Criar loja',
  async run({ api, idempotencyKey }, sent) {
    const body = { slug: sent.text('slug'), ...shopIn(sent) };
    const { slug } = await api.createMerchant({ body, idempotencyKey });
    return { note: 'Loja criada, com o plano de fábrica.', to: `/lojas/${slug}` };
  },
};

/** From the form of a partner to a merchant with its owner. */
export const makeMerchant: Act = {
  path: '/contatos/:id/loja',
  call: 'makeMerchantOfLead',
  title: 'Fazer loja',
  back: '/contatos/:id',
  figures: async () => (
    <p>O contato vira uma loja com responsável. Do plano, o que fica em branco é o de fábrica.</p>
  ),
  async fields({ api, params }) {
    const { company, name, phone } = await api.getLead({ path: { id: params.id! } });
    return [
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
    ];
  },
  button: 'Fazer loja',
  async run({ api, params }, sent) {
    const body = {
      ...(sent.text('slug') && { slug: sent.text('slug') }),
      ...shopIn(sent),
      ...planIn(sent),
      owner: { name: sent.text('owner/name'), phone: readPhone(sent.text('owner/phone')) },
    };
    const { merchant } = await api.makeMerchantOfLead({ path: { id: params.id! }, body });
    return {
      note: 'Loja feita, com o seu responsável. O contato está atendido.',
      to: `/lojas/${merchant.slug}`,
    };
  },
};

const read = ({ api, params }: { api: StaffClient; params: Record<string, string> }) =>
  api.call('getMerchantForStaff', { path: { slug: params.slug! } });

export const edit: Act = {
  path: `${MERCHANT}/editar`,
  call: 'changeMerchant',
  title: 'Editar',
  back: MERCHANT,
  async fields(visit) {
    const shop = await read(visit);
    return [version(shop), ...(await shopFields(visit.api, shop.data))];
  },
  button: 'Salvar',
  async run({ api, params }, sent) {
    await api.changeMerchant({ path: { slug: params.slug! }, body: shopIn(sent), ...ifMatch(sent) });
    return 'Loja salva. O site mostra em um segundo.';
  },
};

export const plan: Act = {
  path: `${MERCHANT}/plano`,
  call: 'changeMerchant',
  least: 'finance',
  title: 'Mudar plano',
  back: MERCHANT,
  figures: async () => <p>Vale para as próximas ofertas. As vendas feitas ficam como foram combinadas.</p>,
  async fields(visit) {
    const shop = await read(visit);
    return [version(shop), ...planFields(shop.data.plan)];
  },
  button: 'Mudar plano',
  async run({ api, params }, sent) {
    await api.changeMerchant({ path: { slug: params.slug! }, body: planIn(sent), ...ifMatch(sent) });
    return 'Plano mudado.';
  },
};

export const account: Act = {
  path: `${MERCHANT}/conta`,
  call: 'setPayoutAccount',
  title: 'Mudar conta de repasse',
  back: MERCHANT,
  figures: async () => <p>Os próximos repasses vão para esta conta. Confira com a loja por outro caminho.</p>,
  stake: async () => null,
  async fields({ api, params }) {
    const held = await api.call('getPayoutAccount', { path: { slug: params.slug! } });
    const now = held.data;
    return [
      version(held),
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

export const stopChange: Act = {
  path: `${MERCHANT}/conta/parar`,
  call: 'stopPayoutAccountChange',
  title: 'Parar a troca',
  back: MERCHANT,
  async figures({ api, params }) {
    const { change } = await api.getPayoutAccount({ path: { slug: params.slug! } });
    if (!change) return <p>Nenhuma troca espera.</p>;
    return (
      <Facts
        of={[
          ['Chave PIX', change.pix_key],
          ['Titular', change.holder_name],
          ['CPF ou CNPJ', change.tax_id],
          ['Pedida', <When key="a" at={change.asked_at} />],
          ['Contaria em', <When key="c" at={change.counts_at} />],
        ]}
      />
    );
  },
  button: 'Parar a troca',
  async run({ api, params }) {
    await api.stopPayoutAccountChange({ path: { slug: params.slug! } });
    return 'A troca foi parada. Fica a conta de antes.';
  },
};

export const listing: Act = {
  path: `${MERCHANT}/site`,
  call: 'changeMerchant',
  title: 'Mostrar ou tirar do site',
  back: MERCHANT,
  async fields(visit) {
    const shop = await read(visit);
    const value = String(shop.data.listed);
    return [version(shop), { name: 'listed', label: 'No site', choices: YES_NO, value }];
  },
  button: 'Salvar',
  async run({ api, params }, sent) {
    const listed = sent.text('listed') === 'true';
    await api.changeMerchant({ path: { slug: params.slug! }, body: { listed }, ...ifMatch(sent) });
    return listed ? 'A loja está no site.' : 'A loja saiu do site e não vende mais.';
  },
};

export const addMember: Act = {
  path: `${MERCHANT}/pessoas/nova`,
  call: 'addMerchantMember',
  title: 'Incluir uma pessoa',
  back: MERCHANT,
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
  async run({ api, params, idempotencyKey }, sent) {
    const body = {
      name: sent.text('name'),
      phone: readPhone(sent.text('phone')),
      role: sent.text('role') === 'clerk' ? ('clerk' as const) : ('owner' as const),
      may_return: sent.text('may_return') === 'true',
      ...(sent.text('max_amount') && { max_amount: readAmount(sent.text('max_amount')) }),
    };
    const { name } = await api.addMerchantMember({ path: { slug: params.slug! }, body, idempotencyKey });
    return `${name} entra no balcão com o celular.`;
  },
};

export const removeMember: Act = {
  path: `${MERCHANT}/pessoas/:id/remover`,
  call: 'removeMerchantMember',
  title: 'Remover',
  back: MERCHANT,
  figures: async () => <p>Sai do balcão agora, em todos os aparelhos. As vendas que fez continuam.</p>,
  button: 'Remover da loja',
  async run({ api, params }) {
    await api.removeMerchantMember({ path: { slug: params.slug!, id: params.id! } });
    return 'Pessoa removida da loja.';
  },
};

export const MERCHANT_ACTS: readonly Act[] = [
  create,
  makeMerchant,
  edit,
  plan,
  account,
  stopChange,
  listing,
  addMember,
  removeMember,
];
